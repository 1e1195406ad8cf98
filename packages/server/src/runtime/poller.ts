import { AsyncLocalStorage } from 'node:async_hooks'

/** Work that repeats while it is started. */
export type Poller = {
  start(): void
  /** Starts a pass at once, or right after the one under way; without effect unless started. */
  nudge(): void
  /** Waits for the pass under way; no other one begins. */
  stop(): Promise<void>
}

/** How often a worker looks by itself that the heartbeat wakes when something is due. */
export const wokenPeriodMs = 300_000

/** Makes a poller: each pass begins `periodMs` after the last one ended. An error of a pass goes to `onError`, and polling continues. */
export function poller({
  periodMs,
  pass,
  onError,
}: {
  periodMs: number
  pass: () => Promise<unknown>
  onError: (error: unknown) => void
}): Poller {
  let isStarted = false
  let isNudged = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  // A pass does not run on behalf of the request that asks for it.
  const onNobodysBehalf = AsyncLocalStorage.snapshot()

  const plan = () => {
    timer = setTimeout(nudge, periodMs)
  }
  const nudge = () => {
    if (!isStarted) return
    isNudged = true
    if (running !== undefined) return
    clearTimeout(timer)
    running = onNobodysBehalf(run)
  }
  const run = async () => {
    while (isStarted && isNudged) {
      isNudged = false
      await pass().catch(onError)
    }
    running = undefined
    if (isStarted) plan()
  }
  return {
    start() {
      if (isStarted) return
      isStarted = true
      plan()
    },
    nudge,
    async stop() {
      isStarted = false
      clearTimeout(timer)
      await running
    },
  }
}
