import { type EvmRpc, EvmRpcError } from '../../../ports/evm-rpc.ts'
import { firstLookMs, followTransaction } from '../follow/follow-transaction.ts'
import { type AgentTransaction, agentTransactionsStore } from './agent-transactions.store.ts'
import { type BroadcastCtx, rowsMax, sendLeaseMs } from './broadcast-ctx.ts'
import { broadcastEvent } from './broadcast-event.ts'
import { submitRawTx } from './submit-raw-tx.ts'

/** Submits a committed transaction of an agent; returns why the node refused it. A silent node is asked again later. */
export async function sendForAgent(
  ctx: BroadcastCtx,
  transaction: AgentTransaction,
  rpc: EvmRpc,
): Promise<EvmRpcError | undefined> {
  const refusal = await submitRawTx(rpc, transaction.rawTx)
  if (refusal?.code === 'transport') return refusal
  try {
    await finish(ctx, transaction, refusal === undefined)
  } catch (error) {
    // The chain's answer stands; the process that takes the row over asks again.
    ctx.log.warn({ err: error, transactionId: transaction.id }, 'a broadcast could not be recorded')
  }
  return refusal
}

/** Sends or follows the transactions of agents that are due, those of dead processes too; returns how many there were. */
export async function takeOverAgents(ctx: BroadcastCtx): Promise<number> {
  const { holder } = ctx
  const due = await agentTransactionsStore.claim(ctx.sql, { rowsMax, leaseMs: sendLeaseMs, holder })
  await Promise.all(due.map((transaction) => resume(ctx, transaction)))
  return due.length
}

async function resume(ctx: BroadcastCtx, transaction: AgentTransaction): Promise<void> {
  const rpc = ctx.chains.get(transaction.chain)?.rpc
  if (rpc === undefined) return
  try {
    if (transaction.state === 'sending') await sendForAgent(ctx, transaction, rpc)
    else await followTransaction(ctx.sql, transaction, rpc)
  } catch (error) {
    if (!(error instanceof EvmRpcError)) throw error
  }
}

/** The row and its event change together: from `sending` on there is one event, whoever comes first. */
async function finish({ sql, audit }: BroadcastCtx, transaction: AgentTransaction, isAccepted: boolean) {
  const { id, sessionId } = transaction
  const actor = { actorType: 'agent', actorId: sessionId } as const
  await sql.begin(async (tx) => {
    const to = isAccepted ? 'sent' : 'refused'
    if (!(await agentTransactionsStore.move(tx, id, 'sending', to, isAccepted ? firstLookMs : null))) return
    await audit.append(tx, broadcastEvent(transaction, actor, isAccepted ? undefined : 'broadcast_failed'))
  })
}
