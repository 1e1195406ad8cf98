import type { Sql } from '../../../db/pool.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { EvmRpc } from '../../../ports/evm-rpc.ts'
import type { Log } from '../../../ports/log.ts'
import { keyedTurns } from '../../../runtime/keyed-turns.ts'
import { retry } from '../../../runtime/retry.ts'
import { nonceLeasesStore } from './nonce-leases.store.ts'

/** The source of a transaction's nonce. */
export type NonceOf = { walletId: string; chain: string; sender: `0x${string}`; rpc: EvmRpc }

/** A nonce, held by `holder` until it is committed, given back, its lease ends, or its process is dead. */
export type HeldNonce = { holder: string; nonce: bigint }

/** A wallet's turn on a chain: within this process there is one at a time. */
export type NonceTurn = {
  /** Leases the next nonce; one that this turn had leased before is given back. Undefined: no other process gave up its lease in time. */
  take(): Promise<HeldNonce | undefined>
  /** Ends the turn and its lease, whatever came of it: a committed nonce is used, any other one is the next one's. */
  end(): Promise<void>
}

/** Nonces without gaps, whoever asks at the same time. */
export type NonceLeases = {
  /** Waits for the wallet's turn on the chain; whoever gets it ends it. */
  turn(of: NonceOf): Promise<NonceTurn>
}

// Much longer than an evaluation, a signature and a commit take; the commit of a holder who is too late is refused.
const leaseMs = 10_000
const waitMaxMs = 12_000
const pollMs = 15

type Lease = { walletId: string; chain: string; holder: string; processId: string }

/** Leases in the database for the process `processId`; within it one request at a time asks for one. */
export function nonceLeases({
  sql,
  ids,
  log,
  processId,
}: {
  sql: Sql
  ids: Ids
  log: Log
  processId: string
}): NonceLeases {
  const turns = keyedTurns()
  return {
    async turn(of) {
      const { walletId, chain } = of
      const endTurn = await turns(`${walletId} ${chain}`)
      let lease: Lease | undefined
      const giveBack = async () => {
        if (lease !== undefined) await release(sql, log, lease)
        lease = undefined
      }
      return {
        async take() {
          await giveBack()
          const asked = { walletId, chain, holder: ids.next(), processId }
          const next = await acquire(sql, asked)
          if (next === undefined) return undefined
          lease = asked
          return { holder: asked.holder, nonce: await nonceFrom(sql, of, next) }
        },
        end: () => giveBack().finally(endTurn),
      }
    },
  }
}

/** The nonce after the newest committed one, once nobody else has the lease. */
const acquire = (sql: Sql, lease: Lease): Promise<bigint | undefined> =>
  retry({ attemptsMax: Math.floor(waitMaxMs / pollMs) + 1, pauseMs: pollMs }, undefined, async () => {
    const next = await nonceLeasesStore.acquire(sql, { ...lease, leaseMs })
    return next === undefined ? { again: undefined } : { done: next }
  })

/** The nonce to use: the lowest one that a refused transaction left open, or the next one that neither we nor the chain has used. */
async function nonceFrom(sql: Sql, { walletId, chain, sender, rpc }: NonceOf, next: bigint): Promise<bigint> {
  const pending = await rpc.pendingNonce(sender)
  if (pending < next) await nonceLeasesStore.reopen(sql, walletId, chain, pending)
  const hole = await nonceLeasesStore.refused(sql, walletId, chain, pending)
  return hole ?? (pending > next ? pending : next)
}

/** What fails here changes nothing of what came of the turn: the lease ends by itself. */
async function release(sql: Sql, log: Log, lease: Lease): Promise<void> {
  try {
    await nonceLeasesStore.release(sql, lease)
  } catch (error) {
    log.warn({ err: error, ...lease }, 'the lease of a nonce could not be given back')
  }
}
