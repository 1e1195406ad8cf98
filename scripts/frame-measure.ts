/**
 * Prints the hash of the wallet frame of this repository, which the enclave's manifest names as `frame_sha256`: lower-case hex. Builds the frame
 * first where it is missing or older than its sources. Run: `npm run --silent frame:measure`.
 */
import { frameSha256 } from '../packages/dev/src/start/frame-sha256.ts'
import { ensureBuilt } from './build.ts'

await ensureBuilt(['iframe'])
const sha256 = frameSha256()
if (sha256 === null) throw new Error('The frame was not built.')
process.stdout.write(`${sha256}\n`)
