/** For backends: the platform with a secret key, and the recovery webhook. Runs wherever Fetch and WebCrypto do. */
export type { Chains, SignResponse, SmartAccount } from './generated/answers.ts'
export type {
  AgentSession,
  AgentSessionPage,
  BatchResult,
  MintedAgentSession,
  WalletPage,
  WalletWithIdentity,
} from './generated/backend-answers.ts'
export type { CreateWalletFor, MintAgentSession, SignRequestFor } from './generated/backend-requests.ts'
export type { TransportCode } from './http/call.ts'
export { type Result, type SdkError, SymbolonError, unwrap } from './result.ts'
export { createServerClient, type ServerClientOptions } from './server/create-server-client.ts'
export type { EvmAccount } from './server/evm-account.ts'
export { type NodeRequest, type NodeResponse, nodeListener } from './server/node-listener.ts'
export type { DecryptionKey } from './server/open-sealed-share.ts'
export { type PlatformKeys, platformKeys } from './server/platform-keys.ts'
export {
  type PostgresQuery,
  postgresRecoveryShares,
  recoveryShareTables,
} from './server/postgres-recovery-shares.ts'
export { createRecoveryReceiver, type RecoveryReceiverOptions } from './server/recovery-receiver.ts'
export { recoveryShareFile } from './server/recovery-share-file.ts'
export type { RecoveryShareStore, StoredRecoveryShare } from './server/recovery-share-store.ts'
export type { ReadOptions, ServerClient, WalletFilter, WriteOptions } from './server/server-client.ts'
export type { RecoveryShareFields, SealedShare } from './server/share-fields.ts'
export {
  verifyWebhook,
  type WebhookCode,
  type WebhookHeaders,
  type WebhookMessage,
  type WebhookProof,
} from './server/verify-webhook.ts'
