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

function counted(...reports: object[]): { line: string; before: string[]; status: number | null } {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-count-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const files = reports.map((report, index) => {
    const file = path.join(folder, `${index}.json`)
    // An empty report stands for a run that wrote none.
    if (Object.keys(report).length > 0) writeFileSync(file, JSON.stringify(report))
    return file
  })
  const { stdout, status } = spawnSync(process.execPath, [script, ...files], { encoding: 'utf8' })
  const lines = stdout.trimEnd().split('\n')
  return { line: lines.at(-1) ?? '', before: lines.slice(0, -1), status }
}

test('all passed: the reports are added up', () => {
  expect(counted(well, { ...well, numPassedTests: 2 })).toEqual({
    line: '5 passed, 0 failed',
    before: [],
    status: 0,
  })
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
  expect(counted(well, report)).toMatchObject({ line: '6 passed, 1 failed', status: 1 })
})

test('a run without a report is a failure, and so is a missing run', () => {
  expect(counted(well, {})).toEqual({ line: '3 passed, 1 failed', before: [], status: 1 })
  expect(counted()).toEqual({ line: '0 passed, 1 failed', before: [], status: 1 })
})

test('what failed stands before the count, by file and name, with its first lines and without colors', () => {
  const file = (name: string) => path.join(process.cwd(), name)
  const long = Array.from({ length: 40 }, (_, index) => `line ${index} ${'x'.repeat(500)}`).join('\n')
  const { before, line } = counted(well, {
    ...well,
    success: false,
    numFailedTests: 1,
    testResults: [
      {
        name: file('test/a.test.ts'),
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'well', failureMessages: [] },
          {
            status: 'failed',
            fullName: 'group sums',
            failureMessages: [`\u001B[31mError: 2\u001B[39m\n${long}`],
          },
        ],
      },
      { name: file('test/b.test.ts'), status: 'failed', message: 'Cannot find x', assertionResults: [] },
    ],
  })
  expect(line).toBe('6 passed, 2 failed')
  expect(before.slice(0, 3)).toEqual([
    'FAILED test/a.test.ts > group sums',
    '    Error: 2',
    expect.stringMatching(/^ {4}line 0 x{233}$/),
  ])
  expect(before.slice(12)).toEqual([
    expect.stringContaining('line 10 '),
    'FAILED test/b.test.ts',
    '    Cannot find x',
  ])
})
