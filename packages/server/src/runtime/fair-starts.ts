import { fairLine } from './fair-line.ts'
import { lastGroups } from './last-groups.ts'

/** Starts of the requests of many groups on one thread. */
export type FairStarts = {
  /**
   * Resolves when a request of the group may start, with what says that it has ended, which may be called more than once. Rejects with
   * `refuse`'s error where too many of the group wait.
   */
  start(group: string): Promise<() => void>
}

/** `nowMs` is a clock that only moves forward; `refuse` makes the error of a request that has to come back in so many seconds. */
export type FairStartsInput = { nowMs: () => number; refuse: (afterSeconds: number) => Error }

// Every step of a request waits for the steps of all others that are under way on its thread. Of those that began so lately, a few are
// enough to keep it busy; one that takes longer waits for something else, such as a chain, and keeps nobody.
const freshMax = 4
const freshMs = 25
const waitingMax = 1_024

/**
 * Makes the starts of one thread. A group alone starts whatever comes. Beside others, groups that wait get equal shares of the time; one
 * that has nothing under way starts past those that have.
 */
export function fairStarts({ nowMs, refuse }: FairStartsInput): FairStarts {
  const line = fairLine<() => void>()
  const last = lastGroups(nowMs)
  const freshOf = new Map<string, number>()
  let fresh = 0

  function begin(group: string): () => void {
    const sinceMs = nowMs()
    let isFresh = true
    count(group, 1)
    const end = (): void => {
      if (!isFresh) return
      isFresh = false
      clearTimeout(timer)
      count(group, -1)
      line.charge(group, nowMs() - sinceMs)
      startNext()
    }
    const timer = setTimeout(end, freshMs)
    return end
  }

  function count(group: string, change: 1 | -1): void {
    fresh += change
    const own = (freshOf.get(group) ?? 0) + change
    if (own === 0) freshOf.delete(group)
    else freshOf.set(group, own)
  }

  const isRoom = (group: string): boolean => fresh < (freshOf.has(group) ? freshMax : 2 * freshMax)

  function startNext(): void {
    for (let next = line.shift(isRoom); next !== undefined; next = line.shift(isRoom)) next.item()
  }

  return {
    async start(group) {
      last.saw(group)
      if (line.waitingOf(group) === 0 && last.isAlone(group)) return () => {}
      if (line.waitingOf(group) === 0 && isRoom(group)) {
        line.pass(group)
        return begin(group)
      }
      if (line.waitingOf(group) >= waitingMax) throw refuse(1)
      return new Promise((resolve) => {
        line.push(group, () => resolve(begin(group)))
      })
    },
  }
}
