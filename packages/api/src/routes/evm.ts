import { BroadcastedTx, BroadcastTx, PreparedTx, PrepareTx } from '../evm-tx.ts'
import type { Route } from '../route.ts'

const mounting = 'Returns 404 if the installation has no EVM chain.'
const errors = ['chain_unsupported', 'wallet_not_found', 'wallet_not_evm', 'wallet_archived'] as const

/** Fills in what a transaction needs to be signed. */
export const prepareTx = {
  id: 'evm.prepareTx',
  method: 'POST',
  path: '/v1/wallets/evm/prepare-tx',
  lane: 'wallet',
  summary: 'Prepare an EVM transaction of the wallet',
  description: `Nonce, gas and fees come from the chain. If the node refuses the estimate (a revert, insufficient funds), the answer is 422. Its message is the contract's or the node's own reason, or says how much is missing; after a revert, \`details.data\` is what the contract returned. Pass \`gas_limit\` to skip the estimate. ${mounting}`,
  body: PrepareTx,
  status: 200,
  data: PreparedTx,
  errors: [...errors, 'bad_to', 'estimate_gas_reverted', 'rpc_failed'],
  limit: 'user-transaction',
} as const satisfies Route

/** Sends a signed transaction of the caller's wallet. */
export const broadcastTx = {
  id: 'evm.broadcastTx',
  method: 'POST',
  path: '/v1/wallets/evm/broadcast-tx',
  lane: 'wallet',
  summary: 'Broadcast a signed EVM transaction of the wallet',
  description: `The wallet must have signed it, for the chain id of \`chain\`. Sending the same transaction again returns 200. With 502 \`broadcast_failed\`, the message has the node's reason; you can repeat the call. ${mounting}`,
  body: BroadcastTx,
  status: 200,
  data: BroadcastedTx,
  errors: [...errors, 'unsupported_tx_type', 'bad_raw_tx', 'broadcast_failed'],
  limit: 'user-transaction',
} as const satisfies Route
