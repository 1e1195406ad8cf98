import { ensureBuilt } from '../../../../scripts/build.ts'

/** Builds what tests serve and load in browsers, where it is missing or older than its sources. */
export async function setup(): Promise<void> {
  await ensureBuilt()
}
