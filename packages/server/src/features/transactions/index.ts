/**
 * Transactions on EVM chains: what they need (`prepare`), nonces without gaps (`nonces`), and the way to the chain, durable before a node sees
 * them and followed until the chain counts them (`broadcast`).
 * @module
 */
export { type AgentTransaction, agentTransactionsStore } from './broadcast/agent-transactions.store.ts'
export type { Broadcasts } from './broadcast/broadcasts.ts'
export { readRawTx } from './broadcast/read-raw-tx.ts'
export { sendLeaseMs, type TransactionSender } from './broadcast/transaction-sender.ts'
export type { HeldNonce, NonceLeases, NonceOf, NonceTurn } from './nonces/nonce-leases.ts'
export { FillInError, fillIn, type TxCall, type TxNeeds } from './prepare/fill-in.ts'
export { fundsLeft } from './prepare/funds-left.ts'
