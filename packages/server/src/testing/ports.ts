/** What the service needs from outside, for fakes and fixtures. */
export type { UserOperationDraft } from '../ports/bundler.ts'
export {
  type AgentSigningRequest,
  type Enclave,
  EnclaveError,
  type EnclaveReceipt,
  type SpentBefore,
} from '../ports/enclave.ts'
export type { EvmRpc } from '../ports/evm-rpc.ts'
export type { Kms } from '../ports/kms.ts'
export {
  RecoveryShareError,
  type RecoveryShareRef,
  type RecoveryShareStore,
} from '../ports/recovery-share-store.ts'
