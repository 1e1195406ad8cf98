/**
 * Prints `N passed, N failed` from a vitest JSON report and fails unless every test passed. A file that could not be
 * loaded and a skipped test count as failures: the suite promises to skip nothing. No report at all is one failure.
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

const { passed, failed } = count(process.argv[2])
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
