import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const reportFile = process.env['SYMBOLON_TEST_REPORT']

/** Writes the result of the run as JSON to where `SYMBOLON_TEST_REPORT` says, as .ci/run wants it. */
export const reporting =
  reportFile === undefined ? {} : { reporters: ['default', 'json'], outputFile: { json: reportFile } }

const tests = ['packages/*/src/**/*.test.{ts,tsx}', 'test/**/*.test.ts', 'scripts/**/*.test.ts']
const never = ['**/node_modules/**', '**/*.night.test.ts', 'test/system/**']

/** What starts or reaches something outside the test's own process: a room of the suite, or a module of Node. */
const reachesOut =
  /'@symbolon\/testing\/(?!attestation'|hpke'|properties')|'node:(child_process|cluster|http|net|tls|worker_threads)'|'vite'|'rolldown'/

/**
 * Tests beside the code that start nothing: no database, chain, browser, server or process. A test that begins to import
 * what starts something leaves by itself; one that hides it behind another file fails, since nothing is started for it.
 */
const unitTests = globSync('packages/*/src/**/*.test.{ts,tsx}').filter(
  (file) =>
    !/^packages.(dev|testing)\b|\.night\.test\./.test(file) && !reachesOut.test(readFileSync(file, 'utf8')),
)

/** Tests that replace modules, which must not stay loaded for another file, or pretend to be a page before they load what looks for one. */
const needsOwnProcess = /vi\.mock\(|stubGlobal\('window'/

/**
 * Tests that run the platform, its parts or its tools. They keep modules from file to file too, since to load the service costs more than
 * many of them (3 s of CPU for each file); database, enclave, mail, ports and processes are each file's own.
 */
const appTests = globSync(tests).filter(
  (file) =>
    !/\.night\.|^test.system\b/.test(file) &&
    !unitTests.includes(file) &&
    !needsOwnProcess.test(readFileSync(file, 'utf8')),
)

/** What every project of the suite, by day and by night, has in common. */
export const everyProject = {
  pool: 'forks',
  // Many times what the slowest test takes: a busy machine makes no test red.
  testTimeout: 90_000,
  hookTimeout: 120_000,
  teardownTimeout: 15_000,
  // A test that waits for something passes as soon as it is there; the default second is less than a busy machine may stand still.
  expect: { poll: { timeout: 30_000 } },
  restoreMocks: true,
  allowOnly: false,
} as const

/** What runs once per run, for the tests that reach out. */
export const globalSetup: string[] = ['memory-folder', 'assets', 'postgres', 'chain'].map(
  (name) => `packages/testing/src/setup/${name}.ts`,
)

export default defineConfig({
  test: {
    ...reporting,
    // One more than CI has cores: the slow files mostly wait for processes and timers.
    maxWorkers: 3,
    projects: [
      {
        // A file's modules stay loaded for the next one: pure code has no state to leave behind.
        test: { ...everyProject, name: 'unit', include: unitTests, exclude: never, isolate: false },
      },
      {
        test: {
          ...everyProject,
          name: 'app',
          // Globals that a file replaces must not reach the next one, since modules stay.
          unstubGlobals: true,
          include: appTests,
          exclude: never,
          isolate: false,
          globalSetup,
        },
      },
      {
        test: {
          ...everyProject,
          name: 'alone',
          include: tests,
          exclude: [...never, ...unitTests, ...appTests],
          globalSetup,
        },
      },
    ],
  },
})
