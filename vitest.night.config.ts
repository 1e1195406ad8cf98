import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { everyProject, globalSetup, reporting } from './vitest.config.ts'

/** Tests of the day whose properties are tried more often at night. */
const properties = globSync('packages/*/src/**/*.test.ts').filter((file) =>
  readFileSync(file, 'utf8').includes("'@symbolon/testing/properties'"),
)

/** Long fuzzing and endurance runs: `npm run test:night`. */
export default defineConfig({
  test: {
    ...everyProject,
    ...reporting,
    maxWorkers: 2,
    include: ['packages/*/src/**/*.night.test.ts', 'test/**/*.night.test.ts', ...properties],
    exclude: ['**/node_modules/**'],
    globalSetup,
    testTimeout: 30 * 60_000,
    provide: { isNight: true },
  },
})
