import { setTimeout as sleep } from 'node:timers/promises'

/** How often something is tried, how long apart, and who hears of each failure. */
export type Tries = { triesMax: number; pauseMs: number; onFailure: (error: unknown) => void }

/** Does something that nobody waits for until it was done once, or was tried often enough. */
export async function untilDone(
  what: () => Promise<unknown>,
  { triesMax, pauseMs, onFailure }: Tries,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await what()
      return
    } catch (error) {
      onFailure(error)
      if (tries === triesMax) return
    }
    // Whoever ends has no business here any more.
    await sleep(pauseMs, undefined, { ref: false })
  }
}
