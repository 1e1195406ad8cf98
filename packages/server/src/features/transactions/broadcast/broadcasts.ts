import type { Sql } from '../../../db/pool.ts'
import type { UserToken } from '../../../http/caller.ts'
import type { EvmChains } from '../../../ports/evm-chains.ts'
import type { EvmRpc, EvmRpcError } from '../../../ports/evm-rpc.ts'
import type { Log } from '../../../ports/log.ts'
import type { Audit, BrokenGuard } from '../../audit/index.ts'
import { type Broadcast, broadcastsStore, type LeftBroadcast } from './broadcasts.store.ts'
import { handIn } from './hand-in.ts'

/** How a broadcast went: `broken` names what no longer held, `reason` what the chain said and may be shown. */
export type BroadcastOutcome =
  | { kind: 'taken' }
  | { kind: 'broken'; broken: BrokenGuard }
  | { kind: 'failed'; reason: string; cause: EvmRpcError }

/** Sends signed transactions, each of which is written down before a node sees it and told to the audit log afterwards. */
export type Broadcasts = {
  send(broadcast: Broadcast, rpc: EvmRpc, token: UserToken): Promise<BroadcastOutcome>
  start(): void
  /** Sends what dead processes left behind; answers how many there were. */
  takeOver(): Promise<number>
  stop(): Promise<void>
}

// Longer than any request waits for its answer.
const leaseMs = 15_000
const pollMs = 5_000
const rowsMax = 16
// Nobody waits for it any more.
const oldMs = 10 * 60_000

/**
 * Makes the sender. The row that is written first is what archiving and logging out are ordered against, and what another
 * process sends again if this one dies: a transaction that reached its chain always has its one event.
 */
export function broadcasts({
  sql,
  chains,
  audit,
  log,
}: {
  sql: Sql
  chains: EvmChains
  audit: Audit
  log: Log
}): Broadcasts {
  let isStopped = true
  let running: Promise<unknown> | undefined
  let timer: NodeJS.Timeout | undefined

  /** The row and its event change together; whoever comes second does nothing. */
  async function finish(broadcast: Broadcast, errorCode?: 'broadcast_failed' | 'wallet_archived') {
    const { id, organizationId, walletId, userIdentityId, chain, txHash } = broadcast
    await sql.begin(async (tx) => {
      if (!(await broadcastsStore.remove(tx, id))) return
      await audit.append(tx, {
        organizationId,
        type: 'wallet.tx_broadcast',
        userIdentityId,
        walletId,
        actorType: 'end_user',
        actorId: userIdentityId,
        payload: { chain, tx_hash: txHash },
        success: errorCode === undefined,
        ...(errorCode !== undefined && { errorCode }),
      })
    })
  }

  async function sendLeft(left: LeftBroadcast): Promise<void> {
    if (!left.isWalletActive) return finish(left, 'wallet_archived')
    const rpc = chains.get(left.chain)?.rpc
    const refusal = rpc && (await handIn(rpc, left.rawTx))
    if (rpc !== undefined && refusal === undefined) return finish(left)
    const isFinal = refusal !== undefined && refusal.code !== 'transport'
    if (isFinal || left.isOld) return finish(left, 'broadcast_failed')
  }

  async function takeOver(): Promise<number> {
    const left = await broadcastsStore.claim(sql, { rowsMax, leaseMs, oldMs })
    await Promise.all(left.map(sendLeft))
    return left.length
  }

  function poll(): void {
    running = takeOver()
      .catch((error: unknown) => log.warn({ err: error }, 'left broadcasts could not be sent'))
      .then(() => {
        if (!isStopped) timer = setTimeout(poll, pollMs)
      })
  }

  return {
    async send(broadcast, rpc, token) {
      const broken = await broadcastsStore.insert(sql, broadcast, token, leaseMs)
      if (broken !== undefined) return { kind: 'broken', broken }
      const refusal = await handIn(rpc, broadcast.rawTx)
      try {
        await finish(broadcast, refusal && 'broadcast_failed')
      } catch (error) {
        // The chain's answer stands; the event is written by whoever takes the row over.
        log.warn({ err: error, broadcastId: broadcast.id }, 'a broadcast could not be recorded')
      }
      return refusal === undefined
        ? { kind: 'taken' }
        : { kind: 'failed', reason: refusal.reason, cause: refusal }
    },
    takeOver,
    start() {
      if (!isStopped) return
      isStopped = false
      timer = setTimeout(poll, pollMs)
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
