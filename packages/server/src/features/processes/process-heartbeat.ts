import type { Sql } from '../../db/pool.ts'
import type { Log } from '../../ports/log.ts'
import type { ProcessTable } from '../../ports/process-table.ts'
import { poller } from '../../runtime/poller.ts'
import { type KnownProcess, processesStore } from './processes.store.ts'

/** Tells the other processes of the installation that this one lives, and frees what dead ones held. */
export type ProcessHeartbeat = {
  readonly processId: string
  start(): void
  /** Ends the beat. What this process still holds is free. */
  stop(): Promise<void>
  /** Frees what another process held that has ended: only for whoever knows that for certain. */
  processDied(processId: string): Promise<void>
}

const beatMs = 1_000
// With the beat before it and the look at the outbox after it, what a dead host held is free within 5 s.
const silenceMs = 2_500

/** Makes the heartbeat of the process `processId`. The clock is the real one, whatever `app_now()` says. */
export function processHeartbeat({
  sql,
  log,
  table,
  processId,
  onFreed,
}: {
  sql: Sql
  log: Log
  table: ProcessTable
  processId: string
  /** Called when something may have become free. */
  onFreed: () => void
}): ProcessHeartbeat {
  let others: KnownProcess[] = []
  const beat = async () => {
    const gone = others.filter((other) => !table.isAlive(other)).map(({ id }) => id)
    others = await processesStore.beat(sql, { id: processId, table, gone, silenceMs })
    const left = others.filter((other) => !table.isAlive(other))
    if (gone.length > 0) onFreed()
    // Those that were there before this process started: not after a whole period.
    if (left.length > 0 && gone.length === 0) beating.nudge()
  }
  const beating = poller({
    periodMs: beatMs,
    pass: beat,
    onError: (error) => log.warn({ err: error }, 'the heartbeat of this process cannot be written'),
  })
  return {
    processId,
    start() {
      beating.start()
      beating.nudge()
    },
    async stop() {
      await beating.stop()
      await processesStore.release(sql, processId).catch(() => {})
    },
    async processDied(deadId) {
      await processesStore.release(sql, deadId)
      onFreed()
    },
  }
}
