import { loadSimulatedRoot, simulatedChain, simulatedNsm } from '@symbolon/dev/testing/attestation'
import { runEnclave } from '@symbolon/enclave'
import { fileRoot } from '@symbolon/enclave/file-root'
import { networkSet, networks } from '@symbolon/networks'
import { ember } from './ember.ts'

/** The enclave of the simulated attestation, which signs for a ninth network, too. */
const [socketPath = '', ringPath = '', certificatePath = ''] = process.argv.slice(2)
const chain = simulatedChain(loadSimulatedRoot({ certificatePath }), Date.now())
await runEnclave(
  { socketPath, root: fileRoot(ringPath), attestor: simulatedNsm(chain), nowMs: Date.now },
  networkSet([...networks.list, ember]),
)
