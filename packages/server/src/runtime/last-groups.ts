/** The two groups that came last, and when: whether a group has the thread to itself. */
export type LastGroups = {
  saw(group: string): void
  /** No other group came in the last five seconds. */
  isAlone(group: string): boolean
}

// How long after its last request a group still counts as one beside the others.
const besideMs = 5_000

/** Remembers nobody at first. `nowMs` is a clock that only moves forward. */
export function lastGroups(nowMs: () => number): LastGroups {
  let last = { group: '', atMs: Number.NEGATIVE_INFINITY }
  let before = last
  return {
    saw(group) {
      if (group !== last.group) before = last
      last = { group, atMs: nowMs() }
    },
    isAlone(group) {
      const other = group === last.group ? before : last
      return nowMs() - other.atMs > besideMs
    },
  }
}
