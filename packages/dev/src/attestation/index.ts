import { fileURLToPath } from 'node:url'

/** Simulated attestation: never in production, whose policy accepts AWS's root only. */
export { simulatedRegisters } from './simulated-measurements.ts'

/** The entry to give to `superviseEnclave`, with the arguments socket, key file and root certificate file. */
export const simulatedEnclaveEntry: string = fileURLToPath(new URL('./enclave-simulated.ts', import.meta.url))
