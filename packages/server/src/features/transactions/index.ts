/**
 * Transactions on EVM chains: filling in what they need (`prepare`), nonces without gaps (`nonces`), broadcasts that are durable before a
 * node sees them (`broadcast`), and following them until the chain counts them (`follow`).
 * @module
 */
export { type AgentTransaction, agentTransactionsStore } from './broadcast/agent-transactions.store.ts'
export { sendLeaseMs } from './broadcast/broadcast-ctx.ts'
export type { Broadcaster } from './broadcast/broadcaster.ts'
export { readRawTx } from './broadcast/read-raw-tx.ts'
export type { HeldNonce, NonceLeases, NonceOf, NonceTurn } from './nonces/nonce-leases.ts'
export { FillInError, fillIn, type TxCall, type TxNeeds, transferGas } from './prepare/fill-in.ts'
export { fundsLeft } from './prepare/funds-left.ts'
export { explainRefusal, lackOfFunds, type RefusedCall, refusedCall } from './prepare/refused-call.ts'
