import type { Hex } from '@symbolon/networks/evm'
import type { Sql } from '../../db/pool.ts'
import type { EvmChain } from '../../ports/evm-chains.ts'
import type { Log } from '../../ports/log.ts'
import { settlementStore } from './settlement.store.ts'
import type { Settlement } from './settlement.ts'

/** Waits for operations to come to an end. */
export type OutcomeWaiters = {
  /** Resolves when the operation is no longer on its way, or after `limitMs`. Never rejects. */
  wait(chain: EvmChain, hash: Hex, limitMs: number): Promise<void>
  /** Ends every wait, and those to come: the process ends. */
  stop(): void
}

type Waiting = { resolve: () => void; beganAt: number }

const periodMinMs = 150
const periodMaxMs = 1_500

/**
 * Makes them. All who wait in this process share one look per chain, which gets rarer the longer the newest of them waits.
 * They follow their operations themselves: whoever has the worker's lease may be another process.
 */
export function outcomeWaiters({
  sql,
  settlement,
  log,
}: {
  sql: Sql
  settlement: Settlement
  log: Log
}): OutcomeWaiters {
  const chains = new Map<string, Map<Hex, Set<Waiting>>>()
  let isStopped = false

  /** Whether somebody's wait is over, or something has changed: then it is worth looking again at once. */
  async function look(chain: EvmChain, waiting: Map<Hex, Set<Waiting>>): Promise<boolean> {
    // Whoever comes while the database answers was not asked about.
    const asked = [...waiting]
    const open = await settlementStore.open(
      sql,
      asked.map(([hash]) => hash),
    )
    const isOpen = new Set(open.map(({ hash }) => hash))
    for (const [hash, waiters] of asked) {
      if (!isOpen.has(hash)) for (const { resolve } of waiters) resolve()
    }
    return settlement.follow(chain, open)
  }

  async function watch(chain: EvmChain, waiting: Map<Hex, Set<Waiting>>): Promise<void> {
    while (waiting.size > 0) {
      let hasChanged = false
      try {
        hasChanged = await look(chain, waiting)
      } catch (error) {
        log.warn({ err: error, chain: chain.chain.handle }, 'the chain cannot be asked for an outcome')
      }
      if (!hasChanged && waiting.size > 0) await pause(waiting)
    }
    chains.delete(chain.chain.handle)
  }

  return {
    async wait(chain, hash, limitMs) {
      if (isStopped) return
      const { handle } = chain.chain
      await new Promise<void>((resolve) => {
        const running = chains.get(handle)
        const waiting = running ?? new Map<Hex, Set<Waiting>>()
        const waiters = waiting.get(hash) ?? new Set<Waiting>()
        const end = () => {
          clearTimeout(timer)
          waiters.delete(own)
          if (waiters.size === 0 && waiting.get(hash) === waiters) waiting.delete(hash)
          resolve()
        }
        const own: Waiting = { resolve: end, beganAt: performance.now() }
        const timer = setTimeout(end, limitMs)
        waiting.set(hash, waiters.add(own))
        if (running !== undefined) return
        chains.set(handle, waiting)
        void watch(chain, waiting)
      })
    },
    stop() {
      isStopped = true
      for (const waiting of chains.values()) {
        for (const waiters of waiting.values()) for (const { resolve } of waiters) resolve()
      }
    },
  }
}

async function pause(waiting: ReadonlyMap<Hex, ReadonlySet<Waiting>>): Promise<void> {
  let newest = 0
  for (const waiters of waiting.values())
    for (const { beganAt } of waiters) newest = Math.max(newest, beganAt)
  const waitedMs = performance.now() - newest
  const periodMs = Math.min(periodMaxMs, Math.max(periodMinMs, waitedMs / 3))
  await new Promise((resolve) => setTimeout(resolve, periodMs))
}
