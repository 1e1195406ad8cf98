/** The signer process: start it, supervise it, attest it. Its protocol is in SPEC.md. */
export type { AttestationRequest, Attestor } from './attestor.ts'
export { type EnclaveLog, lineLog } from './enclave-log.ts'
export { nsmBridge } from './nsm-bridge.ts'
export { enclaveCommand, enclaveNodeArguments, exitWithParent, guardProcess } from './process-guard.ts'
export { runEnclave } from './run-enclave.ts'
export { type EnclaveInput, type RunningEnclave, startEnclave } from './start-enclave.ts'
export { readyLine, type Supervisor, type SupervisorInput, superviseEnclave } from './supervisor.ts'
