/** How much work a queue does: so many at a time, starts so far apart, and how long and how many may wait. */
export type Pace = { atOnceMax: number; everyMs: number; waitMaxMs: number; waitingMax: number }

/** Work that waits its turn. `run` resolves with undefined, the work undone, where the wait would be too long. */
export type PacedQueue = { run<result>(work: () => Promise<result>): Promise<result | undefined> }

/** A queue in order of arrival, by a clock that only moves forward (ms). */
export function pacedQueue(
  { atOnceMax, everyMs, waitMaxMs, waitingMax }: Pace,
  nowMs: () => number,
): PacedQueue {
  const waiting: { startMax: number; start(mayRun: boolean): void }[] = []
  let running = 0
  let nextAtMs = 0
  let timer: NodeJS.Timeout | undefined

  const next = (): void => {
    clearTimeout(timer)
    timer = undefined
    for (let entry = waiting[0]; entry !== undefined; entry = waiting[0]) {
      const now = nowMs()
      if (now > entry.startMax) {
        waiting.shift()
        entry.start(false)
        continue
      }
      if (running >= atOnceMax || now < nextAtMs) {
        // Until one ends, the pace allows the next one, or the first has waited too long.
        const atMs = running >= atOnceMax ? entry.startMax + 1 : Math.min(nextAtMs, entry.startMax + 1)
        timer = setTimeout(next, Math.max(1, atMs - now))
        return
      }
      waiting.shift()
      nextAtMs = now + everyMs
      running += 1
      entry.start(true)
    }
  }

  return {
    async run(work) {
      if (waiting.length >= waitingMax) return undefined
      const mayRun = await new Promise<boolean>((start) => {
        waiting.push({ startMax: nowMs() + waitMaxMs, start })
        next()
      })
      if (!mayRun) return undefined
      try {
        return await work()
      } finally {
        running -= 1
        next()
      }
    },
  }
}
