import { loadSimulatedRoot, simulatedChain, simulatedNsm } from '@symbolon/dev/testing/attestation'
import { runEnclave } from '@symbolon/enclave'
import { networkSet, networks } from '@symbolon/networks'
import { ember } from './ember.ts'

/** The enclave of the simulated attestation, which signs for a ninth network, too. */
const [socketPath = '', keyFilePath = '', certificatePath = ''] = process.argv.slice(2)
const chain = simulatedChain(loadSimulatedRoot({ certificatePath }), Date.now())
await runEnclave(
  { socketPath, keyFilePath, attestor: simulatedNsm(chain) },
  networkSet([...networks.list, ember]),
)
