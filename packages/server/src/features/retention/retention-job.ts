import type { Sql, Transaction } from '../../db/pool.ts'
import type { Log } from '../../ports/log.ts'
import { type Poller, poller } from '../../runtime/poller.ts'
import { type ExpiringTable, expiringTables, retentionStore } from './retention.store.ts'

/** Deleted rows by table; of agent runs, whole trees. */
export type Deleted = Record<ExpiringTable | 'agent_runs', number>

const periodMs = 5 * 60_000
const nothingDeleted = Object.fromEntries(
  [...expiringTables, 'agent_runs'].map((table) => [table, 0]),
) as Deleted

/** Deletes expired rows every five minutes, in one process at a time. Agent runs are kept for `runDays` after their end; 0: for ever. */
export const retentionJob = ({ sql, log, runDays }: { sql: Sql; log: Log; runDays?: number }): Poller =>
  poller({
    periodMs,
    async pass() {
      const counts = await deleteExpired(sql, runDays === undefined ? {} : { runDays })
      log.debug({ counts }, 'expired rows were deleted')
    },
    onError: (error) => log.warn({ err: error }, 'expired rows could not be deleted'),
  })

/**
 * Deletes everything that has expired, and returns the counts, all zero when another process is doing it. Small batches, each committed
 * by itself, keep row locks short.
 */
export async function deleteExpired(
  sql: Sql,
  { rowsMax = 1_000, runDays = 90 }: { rowsMax?: number; runDays?: number } = {},
): Promise<Deleted> {
  const counts = { ...nothingDeleted }
  if (!(await sql.begin((tx) => retentionStore.tryLock(tx)))) return counts
  for (const table of expiringTables)
    counts[table] = await inBatches(sql, rowsMax, (tx) => retentionStore.deleteExpired(tx, table, rowsMax))
  if (runDays > 0) {
    // A tree has up to 585 runs with their journals.
    const treesMax = Math.max(1, Math.floor(rowsMax / 100))
    counts.agent_runs = await inBatches(sql, treesMax, (tx) =>
      retentionStore.deleteRuns(tx, runDays, treesMax),
    )
  }
  return counts
}

/** Runs batches until one is not full. A process that starts between two batches takes turns with this one. */
async function inBatches(
  sql: Sql,
  max: number,
  batch: (tx: Transaction) => Promise<number>,
): Promise<number> {
  for (let total = 0; ; ) {
    const count = await sql.begin(async (tx) => {
      await retentionStore.lock(tx)
      return batch(tx)
    })
    total += count
    if (count < max) return total
  }
}
