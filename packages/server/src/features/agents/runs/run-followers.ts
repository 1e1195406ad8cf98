import type { Sql } from '../../../db/pool.ts'
import type { Log } from '../../../ports/log.ts'
import { isEnded, type Run } from './agent-run.ts'
import { agentRunsStore } from './agent-runs.store.ts'

/** Follows runs as they change, in whichever process they are worked on. */
export type RunFollowers = {
  /** The run as it is, then after each change (several may come as one), until it has ended or `signal` fires. */
  follow(runId: string, signal: AbortSignal): AsyncIterable<Run>
  /** Looks at once. */
  nudge(): void
}

const pollMs = 200

/** Makes the followers of this process: one statement per round asks for all runs that are followed, and none while nobody follows. */
export function runFollowers({ sql, log }: { sql: Sql; log: Log }): RunFollowers {
  type Follower = { runId: string; version: number; wake: () => void }
  const followers = new Set<Follower>()
  let isLooking = false
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    clearTimeout(timer)
    timer = undefined
    try {
      const asked = [...followers]
      const versions = await agentRunsStore.versions(sql, [...new Set(asked.map(({ runId }) => runId))])
      const byId = new Map(versions.map(({ id, version }) => [id, version]))
      for (const follower of asked) if (byId.get(follower.runId) !== follower.version) follower.wake()
    } catch (error) {
      log.warn({ err: error }, 'runs cannot be followed for now')
    }
    isLooking = false
    schedule()
  }

  function schedule(): void {
    if (!isLooking && followers.size > 0) timer ??= setTimeout(look, pollMs)
  }

  return {
    nudge() {
      if (followers.size > 0) void look()
    },

    async *follow(runId, signal) {
      const follower: Follower = { runId, version: -1, wake: () => {} }
      const stop = () => follower.wake()
      signal.addEventListener('abort', stop)
      try {
        while (!signal.aborted) {
          const run = await agentRunsStore.byId(sql, runId)
          if (run === undefined) return
          if (run.version !== follower.version) {
            follower.version = run.version
            yield run
            if (isEnded(run)) return
          }
          const changed = new Promise<void>((resolve) => {
            follower.wake = resolve
          })
          followers.add(follower)
          schedule()
          if (!signal.aborted) await changed
        }
      } finally {
        signal.removeEventListener('abort', stop)
        followers.delete(follower)
      }
    },
  }
}
