import { setTimeout as sleep } from 'node:timers/promises'

/** What one attempt came to: its result, or that another one is worth it, with what that one is given. */
export type Attempt<result, kept> = { done: result } | { again: kept }

/**
 * Attempts until one is done, at most `attemptsMax` times and `pauseMs` apart. The first one is given `first`, every other one what the one
 * before it kept. Undefined: none was done. What an attempt throws ends it.
 */
export async function retry<result, kept>(
  { attemptsMax, pauseMs = 0 }: { attemptsMax: number; pauseMs?: number },
  first: kept,
  attempt: (kept: kept) => Promise<Attempt<result, kept>>,
): Promise<result | undefined> {
  let kept = first
  for (let attempts = 1; attempts <= attemptsMax; attempts++) {
    const outcome = await attempt(kept)
    if ('done' in outcome) return outcome.done
    kept = outcome.again
    if (pauseMs > 0 && attempts < attemptsMax) await sleep(pauseMs)
  }
  return undefined
}
