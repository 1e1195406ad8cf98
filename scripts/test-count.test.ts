import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const script = path.join(import.meta.dirname, 'test-count.mjs')
const well = {
  success: true,
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
}

function counted(...reports: object[]): { line: string; status: number | null } {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-count-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const files = reports.map((report, index) => {
    const file = path.join(folder, `${index}.json`)
    // An empty report stands for a run that wrote none.
    if (Object.keys(report).length > 0) writeFileSync(file, JSON.stringify(report))
    return file
  })
  const { stdout, status } = spawnSync(process.execPath, [script, ...files], { encoding: 'utf8' })
  return { line: stdout.trimEnd(), status }
}

test('all passed: the reports are added up', () => {
  expect(counted(well, { ...well, numPassedTests: 2 })).toEqual({ line: '5 passed, 0 failed', status: 0 })
})

test.each([
  ['a failed test', { ...well, success: false, numFailedTests: 1 }],
  ['a skipped test', { ...well, numPendingTests: 1 }],
  ['a test that is still to be written', { ...well, numTodoTests: 1 }],
  [
    'a file that could not be loaded',
    { ...well, success: false, testResults: [{ status: 'failed', assertionResults: [] }] },
  ],
  ['an error outside of the tests', { ...well, success: false }],
])('%s is a failure', (_, report) => {
  expect(counted(well, report)).toEqual({ line: '6 passed, 1 failed', status: 1 })
})

test('a run without a report is a failure, and so is a missing run', () => {
  expect(counted(well, {})).toEqual({ line: '3 passed, 1 failed', status: 1 })
  expect(counted()).toEqual({ line: '0 passed, 1 failed', status: 1 })
})
