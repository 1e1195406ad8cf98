/**
 * Prints `N passed, N failed` from JSON reports of vitest and fails unless every test passed. A file that could not be
 * loaded and a skipped test count as failures: the suite promises to skip nothing. A report that is missing is one failure,
 * and so is none at all.
 *
 * It stays ours because vitest ends well with skipped tests, and counts no file that it could not load.
 */
import { readFileSync } from 'node:fs'

function count(file) {
  let report
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { passed: 0, failed: 1 }
  }
  const notLoaded = report.testResults.filter(
    (one) => one.status === 'failed' && !one.assertionResults.some((test) => test.status === 'failed'),
  ).length
  const skipped = report.numPendingTests + report.numTodoTests
  return {
    passed: report.numPassedTests,
    failed: Math.max(report.numFailedTests + notLoaded + skipped, report.success ? 0 : 1),
  }
}

const files = process.argv.slice(2)
const counts = files.length > 0 ? files.map(count) : [{ passed: 0, failed: 1 }]
const sum = (name) => counts.reduce((total, one) => total + one[name], 0)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') > 0 || sum('passed') === 0 ? 1 : 0
