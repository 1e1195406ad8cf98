import { defineConfig } from 'vitest/config'
import { everyProject, globalSetup } from './vitest.config.ts'

const report = process.env['SYMBOLON_TEST_REPORT']

/** Tests against programs of the system's packages, which they name where one is missing: `npm run test:system`. */
export default defineConfig({
  test: {
    ...everyProject,
    ...(report === undefined ? {} : { reporters: ['default', 'json'], outputFile: { json: report } }),
    maxWorkers: 2,
    include: ['test/system/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup,
  },
})
