import type { Hex } from '@symbolon/networks/evm'
import type { EvmChain } from '../../ports/evm-chains.ts'
import { settlementStore } from './settlement.store.ts'
import { followOperations } from './settlement.ts'
import type { SettlementCtx } from './submit-to-bundler.ts'

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

/** Those who wait on a chain, by the hash of their operation. */
type Waits = Map<Hex, Set<Waiting>>

/**
 * Makes them. All who wait in this process share one look per chain, which gets rarer the longer the newest of them waits.
 * They follow their operations themselves: the worker's lease may be another process's.
 */
export function outcomeWaiters(ctx: SettlementCtx): OutcomeWaiters {
  const chains = new Map<string, Waits>()
  let isStopped = false
  return {
    async wait(chain, hash, limitMs) {
      if (isStopped) return
      const { handle } = chain.chain
      const running = chains.get(handle)
      const waits: Waits = running ?? new Map()
      const ended = waitIn(waits, hash, limitMs)
      if (running === undefined) {
        chains.set(handle, waits)
        void watch(ctx, chains, chain, waits)
      }
      await ended
    },
    stop() {
      isStopped = true
      for (const waits of chains.values()) {
        for (const waiters of waits.values()) for (const { resolve } of waiters) resolve()
      }
    },
  }
}

function waitIn(waits: Waits, hash: Hex, limitMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiters = waits.get(hash) ?? new Set<Waiting>()
  const end = () => {
    clearTimeout(timer)
    waiters.delete(own)
    if (waiters.size === 0 && waits.get(hash) === waiters) waits.delete(hash)
    resolve()
  }
  const own: Waiting = { resolve: end, beganAt: performance.now() }
  const timer = setTimeout(end, limitMs)
  waits.set(hash, waiters.add(own))
  return promise
}

/** Looks at a chain until nobody waits on it. */
async function watch(
  ctx: SettlementCtx,
  chains: Map<string, Waits>,
  chain: EvmChain,
  waits: Waits,
): Promise<void> {
  const { handle } = chain.chain
  while (waits.size > 0) {
    let hasChanged = false
    try {
      hasChanged = await look(ctx, chain, waits)
    } catch (error) {
      ctx.log.warn({ err: error, chain: handle }, 'the chain cannot be asked for an outcome')
    }
    if (!hasChanged && waits.size > 0) await pause(waits)
  }
  chains.delete(handle)
}

/** Whether somebody's wait is over, or something has changed: then it is worth looking again at once. */
async function look(ctx: SettlementCtx, chain: EvmChain, waits: Waits): Promise<boolean> {
  // Whoever comes while the database answers was not asked about.
  const asked = [...waits]
  const hashes = asked.map(([hash]) => hash)
  const open = await settlementStore.open(ctx.sql, hashes)
  const isOpen = new Set(open.map(({ hash }) => hash))
  for (const [hash, waiters] of asked) {
    if (!isOpen.has(hash)) for (const { resolve } of waiters) resolve()
  }
  return followOperations(ctx, chain, open)
}

async function pause(waits: Waits): Promise<void> {
  let newest = 0
  for (const waiters of waits.values()) for (const { beganAt } of waiters) newest = Math.max(newest, beganAt)
  const waitedMs = performance.now() - newest
  const periodMs = Math.min(periodMaxMs, Math.max(periodMinMs, waitedMs / 3))
  await new Promise((resolve) => setTimeout(resolve, periodMs))
}
