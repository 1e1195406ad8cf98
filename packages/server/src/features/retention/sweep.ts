import type { Sql, Transaction } from '../../db/pool.ts'
import type { Log } from '../../ports/log.ts'
import { type SweptTable, sweepStore, sweptTables } from './sweep.store.ts'

/** Rows deleted by table; of runs, whole trees. */
export type Swept = Record<SweptTable | 'agent_runs', number>

/** Deletes what has expired, in one process at a time. */
export type Sweeper = {
  start(): void
  /** One full pass; what was deleted, all zero when another process is at it. */
  sweep(): Promise<Swept>
  /** Resolves when a running pass has ended. */
  stop(): Promise<void>
}

const periodMs = 5 * 60_000
const nothingSwept = Object.fromEntries([...sweptTables, 'agent_runs'].map((table) => [table, 0])) as Swept

/**
 * Makes a sweeper; small batches, each committed by itself, keep row locks short. Runs of agents are kept for `runDays` after their
 * end; 0: for ever.
 */
export function sweeper({
  sql,
  log,
  rowsMax = 1_000,
  runDays = 90,
}: {
  sql: Sql
  log: Log
  rowsMax?: number
  runDays?: number
}): Sweeper {
  // Each is up to 585 runs with their journals.
  const treesMax = Math.max(1, Math.floor(rowsMax / 100))
  let isStopped = true
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function sweep(): Promise<Swept> {
    const counts = { ...nothingSwept }
    if (!(await sql.begin((tx) => sweepStore.tryLock(tx)))) return counts
    for (const table of sweptTables)
      counts[table] = await inBatches(rowsMax, (tx) => sweepStore.sweep(tx, table, rowsMax))
    if (runDays > 0)
      counts.agent_runs = await inBatches(treesMax, (tx) => sweepStore.sweepRuns(tx, runDays, treesMax))
    return counts
  }

  /** Batch after batch until nothing is left. A process that began between two of them takes turns with this one. */
  async function inBatches(max: number, batch: (tx: Transaction) => Promise<number>): Promise<number> {
    for (let total = 0; ; ) {
      const count = await sql.begin(async (tx) => {
        await sweepStore.lock(tx)
        return batch(tx)
      })
      total += count
      if (count < max) return total
    }
  }

  function run(): void {
    running = sweep()
      .then(
        (counts) => log.debug({ counts }, 'expired rows were deleted'),
        (error: unknown) => log.warn({ err: error }, 'expired rows could not be deleted'),
      )
      .then(() => {
        if (!isStopped) timer = setTimeout(run, periodMs)
      })
  }

  return {
    start() {
      if (!isStopped) return
      isStopped = false
      timer = setTimeout(run, periodMs)
    },
    sweep,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
