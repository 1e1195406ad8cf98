import type { Sql } from '../../../db/pool.ts'
import type { EvmRpc } from '../../../ports/evm-rpc.ts'
import { type AgentTransaction, agentTransactionsStore } from '../broadcast/agent-transactions.store.ts'
import { submitRawTx } from '../broadcast/submit-raw-tx.ts'

/** The wait before an accepted transaction is first looked up; it doubles with each look. */
export const firstLookMs = 30_000
const looksApartMaxMs = 60 * 60_000

/** Follows an accepted transaction until the chain counts its nonce: pools forget, so it is submitted again until then. */
export async function followTransaction(sql: Sql, transaction: AgentTransaction, rpc: EvmRpc): Promise<void> {
  const { id, sender, nonce, rawTx, attempts } = transaction
  if ((await rpc.minedNonce(sender)) > nonce) {
    await agentTransactionsStore.move(sql, id, 'sent', 'seen', null)
    return
  }
  const refusal = await submitRawTx(rpc, rawTx)
  if (refusal !== undefined && refusal.code !== 'transport') {
    await agentTransactionsStore.move(sql, id, 'sent', 'refused', null)
    return
  }
  const againMs = Math.min(firstLookMs * 2 ** Math.min(attempts, 10), looksApartMaxMs)
  await agentTransactionsStore.move(sql, id, 'sent', 'sent', againMs)
}
