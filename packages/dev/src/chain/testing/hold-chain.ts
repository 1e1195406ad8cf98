/** Runs a chain in the folder of the first argument until its input ends; prints its addresses as one line of JSON. */
import { startDevChain } from '../start-dev-chain.ts'

const [folder, cacheFolder] = process.argv.slice(2)
if (folder === undefined || cacheFolder === undefined) throw new Error('which folders?')
const chain = await startDevChain({
  handle: 'local',
  folder,
  cacheFolder,
  log: (line) => console.error(line),
})
console.log(JSON.stringify(chain))
process.stdin.on('end', () => process.exit()).resume()
