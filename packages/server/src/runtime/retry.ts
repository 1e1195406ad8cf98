import { setTimeout as sleep } from 'node:timers/promises'

/** The outcome of one attempt: its result, or the input of another one. */
export type Attempt<result, kept> = { done: result } | { again: kept }

/**
 * Repeats `attempt` until it succeeds, at most `attemptsMax` times and `pauseMs` apart. The first attempt gets `first`, each later one the
 * value its predecessor kept. Undefined: none succeeded. An error of an attempt ends the loop.
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
