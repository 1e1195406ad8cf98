import { defineConfig } from 'vitest/config'

/** Where .ci/run wants the result of the run as JSON. */
const report = process.env['SYMBOLON_TEST_REPORT']

export default defineConfig({
  test: {
    ...(report === undefined ? {} : { reporters: ['default', 'json'], outputFile: { json: report } }),
    include: ['packages/*/src/**/*.test.{ts,tsx}', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/*.night.test.ts'],
    globalSetup: [
      'packages/testing/src/setup/assets.ts',
      'packages/testing/src/setup/postgres.ts',
      'packages/testing/src/setup/chain.ts',
    ],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 15_000,
    // A test that waits for something passes as soon as it is there; the default second is less than a busy machine may stand still.
    expect: { poll: { timeout: 10_000 } },
    restoreMocks: true,
  },
})
