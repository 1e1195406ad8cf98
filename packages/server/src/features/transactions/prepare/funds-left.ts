import { signedTransactionCost } from '@symbolon/networks/evm'
import type { Sql } from '../../../db/pool.ts'
import { agentTransactionsStore } from '../broadcast/agent-transactions.store.ts'
import type { NonceOf } from '../nonces/nonce-leases.ts'

// A pool that changes faster is taken as it was last.
const roundsMax = 3

/**
 * What a wallet has left on a chain, in wei, beside all that it is sending: the balance as the pool leaves it, less the highest costs of
 * signed transactions that the pool does not have yet. For whoever has the wallet's turn, so that nothing is added meanwhile.
 */
export async function fundsLeft(sql: Sql, { walletId, chain, sender, rpc }: NonceOf): Promise<bigint> {
  let [balance, counted] = [0n, await rpc.pendingNonce(sender)]
  for (let round = 0; round < roundsMax; round++) {
    const before = counted
    balance = await rpc.pendingBalance(sender)
    // A transaction that reached the pool before the balance was read is in both; a later one is in neither, so read again.
    counted = await rpc.pendingNonce(sender)
    if (counted === before) break
  }
  const waiting = await agentTransactionsStore.waiting(sql, { walletId, chain, from: counted })
  return waiting.reduce((left, rawTx) => left - signedTransactionCost(rawTx), balance)
}
