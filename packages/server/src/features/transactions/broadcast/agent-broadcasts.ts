import { type EvmRpc, EvmRpcError } from '../../../ports/evm-rpc.ts'
import { firstLookMs, followTransaction } from '../follow/follow-transaction.ts'
import { type AgentTransaction, agentTransactionsStore } from './agent-transactions.store.ts'
import { type BroadcastCtx, rowsMax, sendLeaseMs } from './broadcast-ctx.ts'
import { broadcastEvent } from './broadcast-event.ts'
import { handIn } from './hand-in.ts'

/** Hands a committed transaction of an agent in; returns what the node said against it. A silent node is asked again later. */
export async function sendForAgent(
  ctx: BroadcastCtx,
  transaction: AgentTransaction,
  rpc: EvmRpc,
): Promise<EvmRpcError | undefined> {
  const refusal = await handIn(rpc, transaction.rawTx)
  if (refusal?.code === 'transport') return refusal
  try {
    await finish(ctx, transaction, refusal === undefined)
  } catch (error) {
    // The chain's answer stands; whoever takes the row over asks for it again.
    ctx.log.warn({ err: error, transactionId: transaction.id }, 'a broadcast could not be recorded')
  }
  return refusal
}

/** Sends, or follows, what is due of agents' transactions, those of dead processes too; returns how many there were. */
export async function takeOverAgents(ctx: BroadcastCtx): Promise<number> {
  const due = await agentTransactionsStore.claim(ctx.sql, rowsMax, sendLeaseMs)
  await Promise.all(due.map((transaction) => goOn(ctx, transaction)))
  return due.length
}

async function goOn(ctx: BroadcastCtx, transaction: AgentTransaction): Promise<void> {
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
async function finish({ sql, audit }: BroadcastCtx, transaction: AgentTransaction, isTaken: boolean) {
  const { id, sessionId } = transaction
  const actor = { actorType: 'agent', actorId: sessionId } as const
  await sql.begin(async (tx) => {
    const to = isTaken ? 'sent' : 'refused'
    if (!(await agentTransactionsStore.move(tx, id, 'sending', to, isTaken ? firstLookMs : null))) return
    await audit.append(tx, broadcastEvent(transaction, actor, isTaken ? undefined : 'broadcast_failed'))
  })
}
