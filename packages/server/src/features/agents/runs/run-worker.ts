import type { Sql } from '../../../db/pool.ts'
import type { Log } from '../../../ports/log.ts'
import type { Run } from './agent-run.ts'
import type { RunEngine } from './run-engine.ts'
import { runJournalStore } from './run-journal.store.ts'

/** Works on runs, beside the workers of other processes. */
export type RunWorker = {
  start(): void
  /** Looks for what is due now rather than at the next poll. */
  nudge(): void
  /** Resolves when nothing is under way here any more; what was begun goes on elsewhere. */
  stop(): Promise<void>
}

// One organization alone gets half of them: what it leaves free is for the next.
const runsMax = 32
const pollMs = 1_000
const beatMs = 4_000

/**
 * Makes a worker. A run is one worker's for as long as its lease (`leaseMs`, kept alive while it works); when the worker dies, another
 * one goes on where the journal ends.
 */
export function runWorker({
  sql,
  engine,
  log,
  leaseMs,
}: {
  sql: Sql
  engine: RunEngine
  log: Log
  leaseMs: number
}): RunWorker {
  type Work = { run: Run; stop: AbortController; done: Promise<void> }
  const works = new Map<string, Work>()
  let isStopped = true
  let isNudged = false
  let round: Promise<void> | undefined
  let poll: NodeJS.Timeout | undefined
  let beat: NodeJS.Timeout | undefined

  function begin(run: Run): void {
    // A run comes back to the process that has lost it: the first work knows nothing of it.
    works.get(run.id)?.stop.abort()
    const stop = new AbortController()
    const done = engine(run, stop.signal)
      .catch((error: unknown) => log.warn({ err: error, runId: run.id }, 'a run cannot go on for now'))
      .finally(() => {
        if (works.get(run.id)?.stop === stop) works.delete(run.id)
        wake()
      })
    works.set(run.id, { run, stop, done })
  }

  async function look(): Promise<void> {
    isNudged = false
    try {
      for (const id of await runJournalStore.overdue(sql, 64))
        await runJournalStore.end(
          sql,
          { id, attempt: null },
          { state: 'failed', result: null, error: 'time_limit' },
        )
      const free = runsMax - works.size
      const claimed =
        free > 0 ? await runJournalStore.claim(sql, { free, held: [...works.keys()] }, leaseMs) : []
      for (const run of claimed) begin(run)
    } catch (error) {
      log.warn({ err: error }, 'runs cannot be read')
    }
    round = undefined
    if (isStopped) return
    if (isNudged && works.size < runsMax) wake()
    else poll = setTimeout(wake, pollMs)
  }

  function wake(): void {
    if (isStopped) return
    isNudged = true
    if (round !== undefined) return
    clearTimeout(poll)
    round = look()
  }

  /** Keeps what is worked on, and stops what is somebody else's by now, or has been canceled. */
  async function keep(): Promise<void> {
    const held = [...works.values()]
    try {
      if (held.length > 0) {
        const kept = await runJournalStore.keep(
          sql,
          held.map(({ run }) => run),
          leaseMs,
        )
        const keptIds = new Set(kept.map(({ id, attempt }) => `${id} ${attempt}`))
        for (const { run, stop } of held) if (!keptIds.has(`${run.id} ${run.attempt}`)) stop.abort()
      }
    } catch (error) {
      log.warn({ err: error }, 'leases of runs cannot be kept')
    }
    if (!isStopped) beat = setTimeout(keep, beatMs)
  }

  return {
    start() {
      if (!isStopped) return
      isStopped = false
      beat = setTimeout(keep, beatMs)
      wake()
    },
    nudge: wake,
    async stop() {
      isStopped = true
      clearTimeout(poll)
      clearTimeout(beat)
      await round
      const held = [...works.values()]
      for (const { stop } of held) stop.abort()
      await Promise.all(held.map(({ done }) => done))
      await Promise.all(held.map(({ run }) => runJournalStore.release(sql, run))).catch(() => {})
    },
  }
}
