import { ensureBuilt } from '../../../../scripts/build.ts'

/**
 * Builds what tests serve and load in browsers, where it is missing or older than its sources. `SYMBOLON_TEST_ASSETS` names the assets
 * that a few tests need (`sdk,iframe`), which saves the rest: the documents alone take longer than most files of tests.
 */
export async function setup(): Promise<void> {
  await ensureBuilt(process.env['SYMBOLON_TEST_ASSETS']?.split(','))
}
