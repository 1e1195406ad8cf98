import { defineConfig, mergeConfig } from 'vitest/config'
import day from './vitest.config.ts'

/** Long fuzzing and endurance runs: `npm run test:night`. */
export default mergeConfig(
  { ...day, test: { ...day.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: ['packages/*/src/**/*.night.test.ts', 'test/**/*.night.test.ts'],
      exclude: ['**/node_modules/**'],
      testTimeout: 30 * 60_000,
    },
  }),
)
