import type { Sql } from '../../db/pool.ts'
import type { Log } from '../../ports/log.ts'
import type { ProcessTable } from '../../ports/process-table.ts'
import { poller } from '../../runtime/poller.ts'
import { type BeatResult, type KnownProcess, processesStore } from './processes.store.ts'

/**
 * Tells the other processes of the installation that this one lives, frees what dead ones held, and wakes the workers that have something
 * to do: one statement a second, for all processes of a cluster.
 */
export type ProcessHeartbeat = {
  readonly processId: string
  start(): void
  /** Ends the beat. What this process still holds is free. */
  stop(): Promise<void>
  /** Frees what another process held that has ended: only for whoever knows that for certain. */
  processDied(processId: string): Promise<void>
}

/** A beat as its process announces it: who was beaten for, and which workers have something to do. */
export type Beat = { beaten: readonly string[]; due: readonly string[] }

/** Which process of a cluster beats for all of them. */
export type BeatTurns = {
  /** The processes that this one beats for beside itself; undefined while another one beats for it. */
  siblings(): readonly string[] | undefined
  /** Tells the others of a beat of this process. */
  announce(beat: Beat): void
  /** Calls `onBeat` for the beats of others, and `onTurn` when this process has to beat for others from now on. */
  listen(onBeat: (beat: Beat) => void, onTurn: () => void): void
}

const beatMs = 1_000
// With the beat before it and the look at the outbox after it, what a dead host held is free within 5 s.
const silenceMs = 2_500
// A process whose sibling falls silent beats again itself, before others take it for dead.
const patienceMs = 1_200

const alone: BeatTurns = { siblings: () => [], announce() {}, listen() {} }

/** What the heartbeat of the process `processId` is made of. */
export type HeartbeatCtx = {
  sql: Sql
  log: Log
  table: ProcessTable
  processId: string
  /** Those of its cluster; it beats for itself alone when absent. */
  turns?: BeatTurns | undefined
  /** Called with the workers that have something to do, as `due_work` names them; without names when anything may have become free. */
  wake: (names?: readonly string[]) => void
}

/** Makes the heartbeat. The clock is the real one, whatever `app_now()` says. */
export function processHeartbeat(ctx: HeartbeatCtx): ProcessHeartbeat {
  const { sql, log, processId, turns = alone, wake } = ctx
  let others: KnownProcess[] = []
  let heardAt = Number.NEGATIVE_INFINITY
  const beat = async () => {
    const siblings = turns.siblings()
    if (siblings === undefined && performance.now() - heardAt < patienceMs) return
    const { found, isFreed, isMoreGone } = await beatOnce(ctx, others, siblings ?? [])
    others = found.others
    if (siblings !== undefined) turns.announce(found)
    wake(isFreed ? undefined : found.due)
    if (isMoreGone) beating.nudge()
  }
  const beating = poller({
    periodMs: beatMs,
    pass: beat,
    onError: (error) => log.warn({ err: error }, 'the heartbeat of this process cannot be written'),
  })
  turns.listen(
    ({ beaten, due }) => {
      if (!beaten.includes(processId)) return
      heardAt = performance.now()
      wake(due)
    },
    () => beating.nudge(),
  )
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
      wake()
    },
  }
}

/**
 * One beat, which frees what those of `others` held that have left the process table. `isMoreGone`: processes that were there before this
 * one started are gone too, and should not wait for a whole period.
 */
async function beatOnce(
  { sql, table, processId: id }: HeartbeatCtx,
  others: readonly KnownProcess[],
  siblings: readonly string[],
): Promise<{ found: BeatResult; isFreed: boolean; isMoreGone: boolean }> {
  const gone = others.filter((other) => !table.isAlive(other)).map((other) => other.id)
  const found = await processesStore.beat(sql, { id, table, gone, silenceMs, siblings })
  const isFreed = gone.length > 0
  return { found, isFreed, isMoreGone: !isFreed && found.others.some((other) => !table.isAlive(other)) }
}
