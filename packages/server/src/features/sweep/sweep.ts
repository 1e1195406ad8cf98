import type { Sql } from '../../db/pool.ts'
import type { Log } from '../../ports/log.ts'
import { type SweptTable, sweepStore, sweptTables } from './sweep.store.ts'

/** Deletes what has expired, in one process at a time. */
export type Sweeper = {
  start(): void
  /** One full pass; rows deleted by table, all zero when another process is at it. */
  sweep(): Promise<Record<SweptTable, number>>
  /** Resolves when a running pass has ended. */
  stop(): Promise<void>
}

const periodMs = 5 * 60_000

/** Makes a sweeper; small batches, each in a transaction of its own, keep locks short. */
export function sweeper({ sql, log, rowsMax = 1_000 }: { sql: Sql; log: Log; rowsMax?: number }): Sweeper {
  let isStopped = true
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function sweepTable(table: SweptTable): Promise<number> {
    let total = 0
    for (;;) {
      const count = await sql.begin(async (tx) =>
        (await sweepStore.isMine(tx)) ? sweepStore.sweep(tx, table, rowsMax) : 0,
      )
      total += count
      if (count < rowsMax) return total
    }
  }

  async function sweep(): Promise<Record<SweptTable, number>> {
    const counts = { revoked_tokens: 0, idempotency_keys: 0, email_codes: 0, rate_limits: 0 }
    for (const table of sweptTables) counts[table] = await sweepTable(table)
    return counts
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
