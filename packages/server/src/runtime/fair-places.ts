import { lastGroups } from './last-groups.ts'

/** Places for the requests of many groups: each group has a few at once, and what is more waits in order. */
export type FairPlaces = {
  /**
   * Takes a place for a request of the group with a body of `bytes`, and resolves with what gives it back, which may be called more than
   * once. Rejects with `refuse`'s error where so many of the group wait that one more would wait for seconds.
   */
  take(group: string, bytes: number): Promise<() => void>
}

/** `nowMs` is a clock that only moves forward; `refuse` makes the error of work that has to come back in so many seconds. */
export type FairPlacesInput = { nowMs: () => number; refuse: (afterSeconds: number) => Error }

// A request costs a unit per begun KiB of its body, four at most: the longer it is, the longer it may take. A group alone keeps a process
// busy with so many units. Beside others it gets less: more would wait for each other, and the others for all of them.
const aloneMax = 64
const besideMax = 8
const unitBytes = 1_024
const requestMax = 4
const waitMaxMs = 2_000
const waitingMax = 1_024
const recent = 0.1

type Waiting = { units: number; start: () => void }
type Group = { units: number; heldMs: number; waiting: Waiting[]; waitingUnits: number }

/** Makes the places of one process. */
export function fairPlaces({ nowMs, refuse }: FairPlacesInput): FairPlaces {
  const groups = new Map<string, Group>()
  const last = lastGroups(nowMs)

  const unitsMax = (name: string): number => (last.isAlone(name) ? aloneMax : besideMax)
  const isRoom = (name: string, group: Group, units: number): boolean => group.units + units <= unitsMax(name)

  function startNext(name: string, group: Group): void {
    for (let [next] = group.waiting; next !== undefined; [next] = group.waiting) {
      if (!isRoom(name, group, next.units)) return
      group.waiting.shift()
      group.waitingUnits -= next.units
      next.start()
    }
    if (group.units === 0) groups.delete(name)
  }

  function hold(name: string, group: Group, units: number): () => void {
    const sinceMs = nowMs()
    let isHeld = true
    group.units += units
    return () => {
      if (!isHeld) return
      isHeld = false
      group.units -= units
      group.heldMs = group.heldMs * (1 - recent) + (nowMs() - sinceMs) * recent
      startNext(name, group)
    }
  }

  return {
    async take(name, bytes) {
      const units = Math.min(requestMax, Math.max(1, Math.ceil(bytes / unitBytes)))
      const group = groups.get(name) ?? { units: 0, heldMs: 0, waiting: [], waitingUnits: 0 }
      groups.set(name, group)
      last.saw(name)
      if (group.waiting.length === 0 && isRoom(name, group, units)) return hold(name, group, units)
      const aheadMs = (group.waitingUnits * group.heldMs) / unitsMax(name)
      if (group.waiting.length >= waitingMax || aheadMs > waitMaxMs)
        throw refuse(Math.max(1, Math.ceil(aheadMs / 1_000)))
      return new Promise((resolve) => {
        group.waiting.push({ units, start: () => resolve(hold(name, group, units)) })
        group.waitingUnits += units
      })
    },
  }
}
