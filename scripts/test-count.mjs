/**
 * Prints `N passed, N failed` from JSON reports of vitest and fails unless every test passed. A file that could not be
 * loaded and a skipped test count as failures: the suite promises to skip nothing. A report that is missing is one failure,
 * and so is none at all. What failed is said before, shortly: who reads only the end of a long log finds it there.
 *
 * It stays ours because vitest ends well with skipped tests, and counts no file that it could not load.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const most = { failures: 30, lines: 12, characters: 240 }

function reportIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function count(report) {
  if (report === undefined) return { passed: 0, failed: 1 }
  const notLoaded = report.testResults.filter(
    (one) => one.status === 'failed' && !one.assertionResults.some((test) => test.status === 'failed'),
  ).length
  const skipped = report.numPendingTests + report.numTodoTests
  return {
    passed: report.numPassedTests,
    failed: Math.max(report.numFailedTests + notLoaded + skipped, report.success ? 0 : 1),
  }
}

/** `file > test` and the first lines of each failure; a file that could not be loaded has its own. */
const failures = (report) =>
  (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === 'failed')
    const file = path.relative(process.cwd(), name ?? '')
    if (failed.length === 0) return status === 'failed' ? [`${file}\n${shortened(message ?? '')}`] : []
    return failed.map((one) => `${file} > ${one.fullName}\n${shortened(one.failureMessages.join('\n'))}`)
  })

const shortened = (text) =>
  stripVTControlCharacters(text)
    .split('\n')
    .slice(0, most.lines)
    .map((line) => `    ${line.slice(0, most.characters)}`)
    .join('\n')

const files = process.argv.slice(2)
const reports = files.length > 0 ? files.map(reportIn) : [undefined]
const counts = reports.map(count)
for (const failure of reports.flatMap(failures).slice(0, most.failures)) console.log(`FAILED ${failure}`)
const sum = (name) => counts.reduce((total, one) => total + one[name], 0)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') > 0 || sum('passed') === 0 ? 1 : 0
