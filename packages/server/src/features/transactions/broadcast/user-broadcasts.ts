import type { UserToken } from '../../../http/principal.ts'
import type { EvmRpc, EvmRpcError } from '../../../ports/evm-rpc.ts'
import type { BrokenGuard } from '../../audit/index.ts'
import { type BroadcastCtx, rowsMax, sendLeaseMs } from './broadcast-ctx.ts'
import { broadcastEvent } from './broadcast-event.ts'
import { type Broadcast, broadcastsStore, type LeftBroadcast } from './broadcasts.store.ts'
import { submitRawTx } from './submit-raw-tx.ts'

/** The outcome of a broadcast: `broken` names the guard that no longer held, `reason` is the chain's, and may be shown. */
export type BroadcastOutcome =
  | { kind: 'accepted' }
  | { kind: 'broken'; broken: BrokenGuard }
  | { kind: 'failed'; reason: string; cause: EvmRpcError }

// Nobody waits for its answer any more.
const oldMs = 10 * 60_000

/**
 * Sends what a user's wallet has signed, once. The row that is written first is what archiving and logging out are ordered against, and what
 * another process sends again if this one dies: a transaction that reached its chain always has its one event.
 */
export async function sendForUser(
  ctx: BroadcastCtx,
  broadcast: Broadcast,
  rpc: EvmRpc,
  token: UserToken,
): Promise<BroadcastOutcome> {
  const lease = { leaseMs: sendLeaseMs, holder: ctx.holder }
  const broken = await ctx.sql.alone((tx) => broadcastsStore.insert(tx, broadcast, token, lease))
  if (broken !== undefined) return { kind: 'broken', broken }
  const refusal = await submitRawTx(rpc, broadcast.rawTx)
  try {
    await finish(ctx, broadcast, refusal && 'broadcast_failed')
  } catch (error) {
    // The chain's answer stands; the event is written by whoever takes the row over.
    ctx.log.warn({ err: error, broadcastId: broadcast.id }, 'a broadcast could not be recorded')
  }
  return refusal === undefined
    ? { kind: 'accepted' }
    : { kind: 'failed', reason: refusal.reason, cause: refusal }
}

/** Sends what dead processes left behind of users' transactions; returns how many there were. */
export async function takeOverUsers(ctx: BroadcastCtx): Promise<number> {
  const left = await broadcastsStore.claim(ctx.sql, {
    rowsMax,
    leaseMs: sendLeaseMs,
    oldMs,
    holder: ctx.holder,
  })
  await Promise.all(left.map((broadcast) => sendLeft(ctx, broadcast)))
  return left.length
}

async function sendLeft(ctx: BroadcastCtx, left: LeftBroadcast): Promise<void> {
  if (!left.isWalletActive) return finish(ctx, left, 'wallet_archived')
  const rpc = ctx.chains.get(left.chain)?.rpc
  const refusal = rpc && (await submitRawTx(rpc, left.rawTx))
  if (rpc !== undefined && refusal === undefined) return finish(ctx, left)
  const isFinal = refusal !== undefined && refusal.code !== 'transport'
  if (isFinal || left.isOld) return finish(ctx, left, 'broadcast_failed')
}

/** The row and its event change together; whoever comes second does nothing. */
async function finish(
  { sql, audit }: BroadcastCtx,
  broadcast: Broadcast,
  errorCode?: 'broadcast_failed' | 'wallet_archived',
): Promise<void> {
  const actor = { actorType: 'end_user', actorId: broadcast.userIdentityId } as const
  await sql.begin(async (tx) => {
    if (!(await broadcastsStore.remove(tx, broadcast.id))) return
    await audit.append(tx, broadcastEvent(broadcast, actor, errorCode))
  })
}
