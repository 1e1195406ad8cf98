import { defineConfig } from 'vitest/config'
import { everyProject, globalSetup, reporting } from './vitest.config.ts'

/** Tests against programs of the system's packages, which they name where one is missing: `npm run test:system`. */
export default defineConfig({
  test: {
    ...everyProject,
    ...reporting,
    maxWorkers: 2,
    include: ['test/system/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup,
  },
})
