import type { TestProject } from 'vitest/node'
import { ensureBuilt } from '../../../../scripts/build.ts'
import { programFile } from '../../../../scripts/run.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** What `npm start` runs as enclave and as API, and `npm run migrate`: built, each takes a fifth of the CPU to start. */
    enclaveEntry: string
    apiEntry: string
    migrateEntry: string
  }
}

/**
 * Builds what tests serve and load in browsers, where it is missing or older than its sources. `SYMBOLON_TEST_ASSETS` names the assets
 * that a few tests need (`sdk,iframe`), which saves the rest: the documents alone take longer than most files of tests.
 */
export async function setup(project: TestProject): Promise<void> {
  await ensureBuilt(process.env['SYMBOLON_TEST_ASSETS']?.split(','))
  project.provide('enclaveEntry', programFile('enclave-simulated'))
  project.provide('apiEntry', programFile('api'))
  project.provide('migrateEntry', programFile('migrate'))
}
