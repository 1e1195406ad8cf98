import { join } from 'node:path'
import { simulatedEnclaveEntry } from '@symbolon/dev/testing/attestation'
import { superviseEnclave } from '@symbolon/enclave'
import { makeTestRing } from '@symbolon/testing/enclave'

/** A parent to be killed: starts an enclave in the folder of its argument, prints the pid and waits for ever. */
const folder = process.argv[2] ?? ''
makeTestRing(join(folder, 'k'))
const supervisor = superviseEnclave({
  entry: simulatedEnclaveEntry,
  args: [join(folder, 'e.sock'), join(folder, 'k'), join(folder, 'root.der')],
  log: () => {},
})
await supervisor.ready
process.stdout.write(`${supervisor.pid()}\n`)
setInterval(() => {}, 60_000)
