import type { Sql } from '../../db/pool.ts'
import type { EvmChain, EvmChains } from '../../ports/evm-chains.ts'
import type { Log } from '../../ports/log.ts'
import { settlementStore } from './settlement.store.ts'
import type { Settlement } from './settlement.ts'
import { useropsStore } from './userops.store.ts'

/** Brings operations to their ends though nobody asks for them, beside the workers of other processes. */
export type SettlementWorker = {
  start(): void
  /** Resolves when nothing of it is under way any more. */
  stop(): Promise<void>
}

const leaseMs = 15_000
// Those at an end only wait for finality.
const endedRoundsEvery = 10
const expiryMs = 2_000
const rowsMax = 200
const firstId = '00000000-0000-0000-0000-000000000000'

/**
 * Makes a worker. One process at a time follows a chain, by a lease; chains do not wait for each other. Unsubmitted
 * operations are ended by all processes, chain or not. `holder` names this process in the leases.
 */
export function settlementWorker({
  sql,
  evm,
  settlement,
  log,
  holder,
  roundMs,
}: {
  sql: Sql
  evm: EvmChains
  settlement: Settlement
  log: Log
  holder: string
  roundMs: number
}): SettlementWorker {
  let isStopped = true
  let running: Promise<unknown> = Promise.resolve()
  const wakes = new Set<() => void>()

  /** Without anything to follow nothing is written, nor is the chain asked. */
  async function followAll(chain: EvmChain, isOpen: boolean): Promise<void> {
    const { handle } = chain.chain
    for (let after = firstId; !isStopped; ) {
      const operations = await settlementStore.followed(sql, handle, { after, isOpen, rowsMax })
      const last = operations.at(-1)
      if (last === undefined || !(await settlementStore.lease(sql, handle, holder, leaseMs))) return
      await settlement.follow(chain, operations)
      if (operations.length < rowsMax) return
      after = last.id
    }
  }

  async function followChain(chain: EvmChain): Promise<void> {
    const { handle } = chain.chain
    for (let round = 0; !isStopped; round++) {
      await attempt(`the operations on ${handle} cannot be followed`, () =>
        followAll(chain, round % endedRoundsEvery !== 0),
      )
      await pause(roundMs)
    }
    await attempt('a lease could not be given back', () => settlementStore.endLease(sql, handle, holder))
  }

  async function expire(): Promise<void> {
    while (!isStopped) {
      await attempt('operations that expired could not be ended', async () => {
        while ((await useropsStore.expireUnsubmitted(sql, rowsMax)) === rowsMax && !isStopped);
      })
      await pause(expiryMs)
    }
  }

  async function attempt(failure: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      log.warn({ err: error }, failure)
    }
  }

  async function pause(ms: number): Promise<void> {
    if (isStopped) return
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        wakes.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      wakes.add(wake)
    })
  }

  return {
    start() {
      if (!isStopped) return
      isStopped = false
      running = Promise.all([expire(), ...[...evm.values()].map(followChain)])
    },
    async stop() {
      isStopped = true
      for (const wake of [...wakes]) wake()
      await running
    },
  }
}
