import { runEnclave } from '@symbolon/enclave'
import { networkSet, networks } from '@symbolon/networks'
import { loadSimulatedRoot } from '../../../packages/dev/src/attestation/root-file.ts'
import { simulatedNsm } from '../../../packages/dev/src/attestation/simulated-nsm.ts'
import { simulatedChain } from '../../../packages/dev/src/attestation/simulated-pki.ts'
import { ember } from './ember.ts'

/** The enclave of the simulated attestation, which signs for a ninth network, too. */
const [socketPath = '', keyFilePath = '', certificatePath = ''] = process.argv.slice(2)
const chain = simulatedChain(loadSimulatedRoot({ certificatePath }), Date.now())
await runEnclave(
  { socketPath, keyFilePath, attestor: simulatedNsm(chain) },
  networkSet([...networks.list, ember]),
)
