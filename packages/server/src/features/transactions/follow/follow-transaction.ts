import type { Sql } from '../../../db/pool.ts'
import type { EvmRpc } from '../../../ports/evm-rpc.ts'
import { type AgentTransaction, agentTransactionsStore } from '../broadcast/agent-transactions.store.ts'
import { handIn } from '../broadcast/hand-in.ts'

/** When a transaction that a node took is looked at first; the time doubles with each look. */
export const firstLookMs = 30_000
const looksApartMaxMs = 60 * 60_000

/** Looks after a transaction that a node took until the chain counts its nonce, since pools forget: it is handed in again until then. */
export async function followTransaction(sql: Sql, transaction: AgentTransaction, rpc: EvmRpc): Promise<void> {
  const { id, sender, nonce, rawTx, attempts } = transaction
  if ((await rpc.minedNonce(sender)) > nonce) {
    await agentTransactionsStore.move(sql, id, 'sent', 'seen', null)
    return
  }
  const refusal = await handIn(rpc, rawTx)
  if (refusal !== undefined && refusal.code !== 'transport') {
    await agentTransactionsStore.move(sql, id, 'sent', 'refused', null)
    return
  }
  const againMs = Math.min(firstLookMs * 2 ** Math.min(attempts, 10), looksApartMaxMs)
  await agentTransactionsStore.move(sql, id, 'sent', 'sent', againMs)
}
