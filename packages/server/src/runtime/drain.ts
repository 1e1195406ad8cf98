import { setTimeout as sleep } from 'node:timers/promises'

/** How often work is tried, how long apart, and where each failure is reported. */
export type Tries = { triesMax: number; pauseMs: number; onFailure: (error: unknown) => void }

/** Repeats work that nobody waits for until it succeeds once, or was tried `triesMax` times. */
export async function drain(
  work: () => Promise<unknown>,
  { triesMax, pauseMs, onFailure }: Tries,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await work()
      return
    } catch (error) {
      onFailure(error)
      if (tries === triesMax) return
    }
    // Keeps no process alive.
    await sleep(pauseMs, undefined, { ref: false })
  }
}
