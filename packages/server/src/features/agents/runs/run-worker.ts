import type { Sql } from '../../../db/pool.ts'
import type { Log } from '../../../ports/log.ts'
import { type Poller, poller } from '../../../runtime/poller.ts'
import type { Run } from './agent-run.ts'
import type { RunFollowers } from './run-followers.ts'
import { runJournalStore } from './run-journal.store.ts'
import { runLeaseMs } from './run-work.ts'

/**
 * Works on runs, beside the workers of other processes. `stop` resolves when nothing is under way here any more; another process continues
 * what was begun.
 */
export type RunWorker = Poller

/** What a worker is made of. `work` works on a run that the worker holds, until the signal fires. */
export type RunWorkerCtx = {
  sql: Sql
  log: Log
  followers: RunFollowers
  work: (run: Run, signal: AbortSignal) => Promise<void>
  /** This process: its leases end when it dies. */
  holder?: string
  /** A second when absent. */
  pollMs?: number
}

type Works = Map<string, { run: Run; stop: AbortController; done: Promise<void> }>

// One organization alone gets half of them: the rest is for the next one.
const runsMax = 32
const beatMs = 4_000
const overdueMax = 64

/**
 * Makes a worker. It holds a run by a lease, which it extends while it works. When the worker dies, another one continues where the journal
 * ends.
 */
export function runWorker(ctx: RunWorkerCtx): RunWorker {
  const { sql, log, followers } = ctx
  const works: Works = new Map()

  function begin(run: Run): void {
    // A process that lost a run may get it back while its first work does not know yet.
    works.get(run.id)?.stop.abort()
    const stop = new AbortController()
    const done = ctx
      .work(run, stop.signal)
      .catch((error: unknown) => log.warn({ err: error, runId: run.id }, 'a run cannot continue for now'))
      .finally(() => {
        if (works.get(run.id)?.stop === stop) works.delete(run.id)
        followers.nudge()
        claiming.nudge()
      })
    works.set(run.id, { run, stop, done })
  }

  const claiming = poller({
    periodMs: ctx.pollMs ?? 1_000,
    pass: async () => {
      for (const run of await claimRuns(ctx, works)) begin(run)
    },
    onError: (error) => log.warn({ err: error }, 'runs cannot be read'),
  })
  const keeping = poller({
    periodMs: beatMs,
    pass: () => keepLeases(ctx, works),
    onError: (error) => log.warn({ err: error }, 'leases of runs cannot be kept'),
  })

  return {
    start() {
      claiming.start()
      keeping.start()
      claiming.nudge()
    },
    nudge: claiming.nudge,
    async stop() {
      await Promise.all([claiming.stop(), keeping.stop()])
      const held = [...works.values()]
      for (const { stop } of held) stop.abort()
      await Promise.all(held.map(({ done }) => done))
      await Promise.all(held.map(({ run }) => runJournalStore.release(sql, run))).catch(() => {})
    },
  }
}

/** Ends runs whose time is over, and claims due ones for the free places. */
async function claimRuns({ sql, holder }: RunWorkerCtx, works: Works): Promise<Run[]> {
  for (const id of await runJournalStore.overdue(sql, overdueMax))
    await runJournalStore.end(
      sql,
      { id, attempt: null },
      { state: 'failed', result: null, error: 'time_limit' },
    )
  const free = runsMax - works.size
  return free > 0
    ? runJournalStore.claim(
        sql,
        { free, held: [...works.keys()], ...(holder !== undefined && { holder }) },
        runLeaseMs,
      )
    : []
}

/** Extends the leases of the runs at work; stops those that another process holds by now, or that were canceled. */
async function keepLeases({ sql }: RunWorkerCtx, works: Works): Promise<void> {
  const held = [...works.values()]
  if (held.length === 0) return
  const runs = held.map(({ run }) => run)
  const kept = await runJournalStore.keep(sql, runs, runLeaseMs)
  const keptIds = new Set(kept.map(({ id, attempt }) => `${id} ${attempt}`))
  for (const { run, stop } of held) if (!keptIds.has(`${run.id} ${run.attempt}`)) stop.abort()
}
