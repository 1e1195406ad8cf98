import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { everyProject, globalSetup, reporting } from './vitest.config.ts'

/** Tests of the suite that try more at night: properties, rounds and cases. */
const suiteTests = globSync(['packages/*/src/**/*.test.ts', 'test/**/*.test.ts']).filter((file) =>
  readFileSync(file, 'utf8').includes("'@symbolon/testing/properties'"),
)

/** Long fuzzing and endurance runs, and what the suite tries a few times only, in full: `npm run test:night`. */
export default defineConfig({
  test: {
    ...everyProject,
    ...reporting,
    maxWorkers: 2,
    include: ['packages/*/src/**/*.night.test.ts', 'test/**/*.night.test.ts', ...suiteTests],
    exclude: ['**/node_modules/**'],
    globalSetup,
    testTimeout: 30 * 60_000,
    provide: { isNight: true },
  },
})
