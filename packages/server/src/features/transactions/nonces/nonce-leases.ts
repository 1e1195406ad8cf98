import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../../db/pool.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { EvmRpc } from '../../../ports/evm-rpc.ts'
import type { Log } from '../../../ports/log.ts'
import { keyedTurns } from '../../../runtime/keyed-turns.ts'
import { nonceLeasesStore } from './nonce-leases.store.ts'

/** Where a transaction's nonce comes from. */
export type NonceOf = { walletId: string; chain: string; sender: `0x${string}`; rpc: EvmRpc }

/** A nonce, held by `holder` until it is committed, given back, or its lease ends. */
export type HeldNonce = { holder: string; nonce: bigint }

/** Nonces without gaps, whoever asks at the same time. */
export type NonceLeases = {
  /**
   * Runs with the next nonce of the wallet on the chain. Whatever comes of it, the lease ends: a committed nonce is used, any other
   * one is the next one's. Undefined when no turn came in time.
   */
  withNonce<result>(
    of: NonceOf,
    run: (held: HeldNonce) => Promise<result>,
  ): Promise<{ result: result } | undefined>
}

// Much longer than a judgement, a signature and a commit take; the commit of a holder who is too late is refused.
const leaseMs = 10_000
const waitMaxMs = 12_000
const pollMs = 15

/** Leases in the database; within this process one request at a time asks for one. */
export function nonceLeases({ sql, ids, log }: { sql: Sql; ids: Ids; log: Log }): NonceLeases {
  const turns = keyedTurns()

  async function acquire(walletId: string, chain: string, holder: string): Promise<bigint | undefined> {
    for (let waitedMs = 0; waitedMs <= waitMaxMs; waitedMs += pollMs) {
      const next = await nonceLeasesStore.acquire(sql, { walletId, chain, holder, leaseMs })
      if (next !== undefined) return next
      await sleep(pollMs)
    }
    return undefined
  }

  /** What fails here changes nothing of what came of the turn: the lease ends by itself. */
  async function release(lease: Parameters<typeof nonceLeasesStore.release>[1]): Promise<void> {
    try {
      await nonceLeasesStore.release(sql, lease)
    } catch (error) {
      log.warn({ err: error, ...lease }, 'the lease of a nonce could not be given back')
    }
  }

  return {
    withNonce: ({ walletId, chain, sender, rpc }, run) =>
      turns(`${walletId} ${chain}`, async () => {
        const holder = ids.next()
        const next = await acquire(walletId, chain, holder)
        if (next === undefined) return undefined
        try {
          const pending = await rpc.pendingNonce(sender)
          if (pending < next) await nonceLeasesStore.reopen(sql, walletId, chain, pending)
          const hole = await nonceLeasesStore.refused(sql, walletId, chain, pending)
          const ahead = pending - next
          const nonce = hole ?? next + (ahead > 0n ? ahead : 0n)
          return { result: await run({ holder, nonce }) }
        } finally {
          await release({ walletId, chain, holder })
        }
      }),
  }
}
