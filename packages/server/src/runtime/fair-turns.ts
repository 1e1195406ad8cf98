import { type FairLine, fairLine } from './fair-line.ts'
import { groupRests } from './group-rests.ts'

/** Work of many groups on one thread, by turns. */
export type FairTurns = {
  /**
   * Runs `work`, which does not wait for anything, when it is the group's turn, and resolves with what it returns; at once where
   * nobody waits, or where `bytes` says that it is made of a short body. Rejects with what `work` throws, and with `refuse`'s error where too much work of the group waits already.
   */
  run<result>(group: string, work: () => result, bytes?: number): Promise<result>
}

/**
 * `nowMs` is a clock that only moves forward; `refuse` makes the error of work that has to come back in so many seconds; `later` runs
 * something after so many milliseconds.
 */
export type FairTurnsInput = {
  nowMs: () => number
  refuse: (afterSeconds: number) => Error
  later?: (run: () => void, ms: number) => void
}

type Job = { work: () => unknown; resolve: (result: never) => void; reject: (error: unknown) => void }

// How much work runs before sockets and timers are looked at again. The longest work is longer, and then runs alone.
const sliceMs = 2
// No body of this length takes as long as one turn of another group.
const shortBytes = 1_024
// What a group may have waiting, by what its work took so far, and all together: more would only wait for the time limit of its request.
const groupWaitMaxMs = 2_000
const groupWaitingMax = 1_024
const waitingMax = 8_192
const firstWorkMs = 0.5
const recent = 0.2

/**
 * Makes the turns. Groups that wait share the thread's time equally, whatever each of their requests costs; beside others, one with long
 * work leaves half of it free.
 */
export function fairTurns({ nowMs, refuse, later = laterByTimer }: FairTurnsInput): FairTurns {
  const line = fairLine<Job>()
  const rests = groupRests(nowMs)
  const waits = waitTimes(line)
  const mayHaveTurn = (group: string) => !rests.isResting(group)
  let usedMs = 0

  function perform(group: string, { work, resolve, reject }: Job): void {
    const startedMs = nowMs()
    try {
      resolve(work() as never)
    } catch (error) {
      reject(error)
    }
    const tookMs = nowMs() - startedMs
    usedMs += tookMs
    line.charge(group, tookMs)
    rests.took(group, tookMs)
    waits.took(group, tookMs)
    slices.plan()
  }

  const slices = planner(later, () => {
    usedMs = 0
    while (usedMs < sliceMs) {
      const next = line.shift(mayHaveTurn)
      // What waits now is of groups that rest.
      if (next === undefined) return line.size === 0 ? undefined : (rests.nextMs() ?? 0)
      perform(next.group, next.item)
    }
    return undefined
  })

  return {
    run: (group, work, bytes = Number.POSITIVE_INFINITY) =>
      new Promise((resolve, reject) => {
        const job = { work, resolve, reject }
        rests.saw(group)
        if (bytes <= shortBytes || (line.size === 0 && usedMs < sliceMs && mayHaveTurn(group))) {
          line.pass(group)
          perform(group, job)
          return
        }
        const refusedForMs = waits.refusedForMs(group)
        if (refusedForMs !== undefined) return reject(refuse(Math.max(1, Math.ceil(refusedForMs / 1000))))
        line.push(group, job)
        slices.plan()
      }),
  }
}

/** Runs slices, one for all that is planned meanwhile; after one that returns so many milliseconds, another one. */
function planner(later: (run: () => void, ms: number) => void, slice: () => number | undefined) {
  let isPlanned = false
  let isAwaited = false
  function plan(): void {
    if (isPlanned) return
    isPlanned = true
    setImmediate(() => {
      isPlanned = false
      const restMs = slice()
      if (restMs !== undefined && !isAwaited) awaitRested(restMs)
    })
  }
  function awaitRested(ms: number): void {
    isAwaited = true
    later(() => {
      isAwaited = false
      plan()
    }, ms)
  }
  return { plan }
}

/** How long what a group has waiting will take, by what its work took lately while it had some waiting. */
function waitTimes(line: FairLine<Job>) {
  const workMs = new Map<string, number>()
  return {
    took(group: string, ms: number): void {
      if (line.size === 0) workMs.clear()
      else workMs.set(group, (workMs.get(group) ?? ms) * (1 - recent) + ms * recent)
    },
    /** Undefined where more of the group may wait. */
    refusedForMs(group: string): number | undefined {
      const aheadMs = line.waitingOf(group) * (workMs.get(group) ?? firstWorkMs)
      const isFull = line.waitingOf(group) >= groupWaitingMax || line.size >= waitingMax
      return isFull || aheadMs > groupWaitMaxMs ? aheadMs : undefined
    },
  }
}

const laterByTimer = (run: () => void, ms: number): void => {
  setTimeout(run, ms)
}
