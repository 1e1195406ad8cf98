/**
 * The local chains of `npm start`, in one process: which ones, where, as JSON in SYMBOLON_LOCAL_PORTS. It ends, and they
 * with it, on a signal or when the other end of its input is gone.
 */
import { writeFileSync } from 'node:fs'
import { bundlerPidFile, type LocalChain } from '../start/local-chains.ts'
import { type DevChain, startDevChain } from './start-dev-chain.ts'

const chains = JSON.parse(process.env['SYMBOLON_LOCAL_PORTS'] ?? '[]') as LocalChain[]
const folder = process.env['SYMBOLON_CHAIN_DIR']
if (folder === undefined) throw new Error('SYMBOLON_CHAIN_DIR is missing')

const running: DevChain[] = []
let isEnding = false

async function end(code: number): Promise<void> {
  if (isEnding) return
  isEnding = true
  // One that is just coming up has nothing to lose: it ends with this process.
  await Promise.allSettled(running.map((chain) => chain.stop()))
  process.exit(code)
}

process.on('SIGTERM', () => void end(0))
process.stdin
  .on('end', () => void end(0))
  .on('error', () => void end(0))
  .resume()

const cacheFolder = process.env['NODE_COMPILE_CACHE']
await Promise.all(
  chains.map(async (chain) => {
    const started = await startDevChain({
      ...chain,
      folder: `${folder}/${chain.handle}`,
      log: (line) => console.log(`${chain.handle}: ${line}`),
      onBundler: (pid) => writeFileSync(bundlerPidFile(folder, chain), String(pid)),
      ...(cacheFolder === undefined ? {} : { cacheFolder }),
    })
    running.push(started)
    if (isEnding) await started.stop()
  }),
).catch((error: unknown) => {
  console.error(error)
  return end(1)
})
