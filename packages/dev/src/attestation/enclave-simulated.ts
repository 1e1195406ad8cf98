import { guardProcess, runEnclave } from '@symbolon/enclave'
import { fileRoot } from '@symbolon/enclave/file-root'
import { loadSimulatedRoot } from './root-file.ts'
import { simulatedNsm } from './simulated-nsm.ts'
import { simulatedChain } from './simulated-pki.ts'

/** The enclave in development, `enclave-simulated <socket> <ring file> <root certificate file>`: its attestation is simulated, its guards are not. */
guardProcess(process.env, (sentence) => process.stderr.write(`${sentence}\n`))
const [socketPath, ringPath, certificatePath] = process.argv.slice(2)
if (socketPath === undefined || ringPath === undefined || certificatePath === undefined) {
  process.stderr.write('usage: enclave-simulated <socket> <ring file> <root certificate file>\n')
  process.exit(2)
}

const chain = simulatedChain(loadSimulatedRoot({ certificatePath }), Date.now())
await runEnclave({ socketPath, root: fileRoot(ringPath), attestor: simulatedNsm(chain), nowMs: Date.now })
