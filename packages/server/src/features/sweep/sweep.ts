import type { Queryable, Sql } from '../../db/pool.ts'
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

/** Makes a sweeper; small batches, each committed by itself, keep row locks short. */
export function sweeper({ sql, log, rowsMax = 1_000 }: { sql: Sql; log: Log; rowsMax?: number }): Sweeper {
  let isStopped = true
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function sweep(): Promise<Record<SweptTable, number>> {
    const counts = {
      revoked_tokens: 0,
      idempotency_keys: 0,
      email_codes: 0,
      rate_limits: 0,
      portal_sessions: 0,
      portal_logins: 0,
      delegation_jtis: 0,
      recovery_processes: 0,
      key_transfers: 0,
      recovery_shares: 0,
      user_operations: 0,
    }
    // A connection of its own, because the lock belongs to it and ends with it, whatever happens to this process.
    const connection = await sql.reserve()
    try {
      if (!(await sweepStore.lock(connection))) return counts
      try {
        for (const table of sweptTables) counts[table] = await sweepTable(connection, table)
      } finally {
        await sweepStore.unlock(connection)
      }
      return counts
    } finally {
      connection.release()
    }
  }

  async function sweepTable(connection: Queryable, table: SweptTable): Promise<number> {
    for (let total = 0; ; ) {
      const count = await sweepStore.sweep(connection, table, rowsMax)
      total += count
      if (count < rowsMax) return total
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
