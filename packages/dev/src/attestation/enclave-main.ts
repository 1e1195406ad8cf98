import { runEnclave } from '@symbolon/enclave'
import { loadSimulatedRoot } from './root-file.ts'
import { simulatedNsm } from './simulated-nsm.ts'
import { simulatedChain } from './simulated-pki.ts'

/** The development entry: `<socket> <key file> <root certificate file>`; its attestation is simulated. */
const [socketPath, keyFilePath, certificatePath] = process.argv.slice(2)
if (socketPath === undefined || keyFilePath === undefined || certificatePath === undefined) {
  process.stderr.write('usage: enclave-main.ts <socket> <key file> <root certificate file>\n')
  process.exit(2)
}

const chain = simulatedChain(loadSimulatedRoot({ certificatePath }), Date.now())
await runEnclave({ socketPath, keyFilePath, attestor: simulatedNsm(chain) })
