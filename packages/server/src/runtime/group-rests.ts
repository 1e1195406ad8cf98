import { lastGroups } from './last-groups.ts'

/**
 * Rests after long work. Work that has begun is not interrupted: whoever comes meanwhile waits for its end, and nearly everybody does where
 * one group has long work without a pause. Beside others, a group therefore rests as long as its long work took.
 */
export type GroupRests = {
  saw(group: string): void
  /** Work of the group took so long just now. */
  took(group: string, ms: number): void
  isResting(group: string): boolean
  /** Milliseconds until the next of the groups has rested; undefined where none rests. */
  nextMs(): number | undefined
}

// Shorter work ends soon enough.
const longMs = 4
// What one piece of work makes its group rest at most: more was the machine's fault.
const restMaxMs = 30

/** All groups have rested. `nowMs` is a clock that only moves forward. */
export function groupRests(nowMs: () => number): GroupRests {
  const last = lastGroups(nowMs)
  const untilMs = new Map<string, number>()

  function isResting(group: string): boolean {
    const until = untilMs.get(group)
    if (until === undefined) return false
    if (until > nowMs()) return true
    untilMs.delete(group)
    return false
  }

  return {
    saw: (group) => last.saw(group),
    took(group, ms) {
      if (ms > longMs && !last.isAlone(group)) untilMs.set(group, nowMs() + Math.min(ms, restMaxMs))
    },
    isResting,
    nextMs() {
      const ends = [...untilMs.keys()].filter(isResting).map((group) => untilMs.get(group) ?? 0)
      return ends.length === 0 ? undefined : Math.min(...ends) - nowMs()
    },
  }
}
