import { fairLine } from './fair-line.ts'
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
  const mayHaveTurn = (group: string) => !rests.isResting(group)
  /** What a group's work took lately, while it has some waiting. */
  const workMs = new Map<string, number>()
  let usedMs = 0
  let isPlanned = false
  let isAwaited = false

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
    if (line.size === 0) workMs.clear()
    else workMs.set(group, (workMs.get(group) ?? tookMs) * (1 - recent) + tookMs * recent)
    plan()
  }

  function plan(): void {
    if (isPlanned) return
    isPlanned = true
    setImmediate(nextSlice)
  }

  function nextSlice(): void {
    isPlanned = false
    usedMs = 0
    while (usedMs < sliceMs) {
      const next = line.shift(mayHaveTurn)
      if (next === undefined) break
      perform(next.group, next.item)
    }
    if (!isPlanned) awaitRested()
  }

  /** What waits now is of groups that rest. */
  function awaitRested(): void {
    const restMs = rests.nextMs()
    if (line.size === 0 || isAwaited) return
    isAwaited = true
    later(() => {
      isAwaited = false
      plan()
    }, restMs ?? 0)
  }

  function refusalOf(group: string): Error | undefined {
    const aheadMs = line.waitingOf(group) * (workMs.get(group) ?? firstWorkMs)
    const isFull = line.waitingOf(group) >= groupWaitingMax || line.size >= waitingMax
    return isFull || aheadMs > groupWaitMaxMs ? refuse(Math.max(1, Math.ceil(aheadMs / 1000))) : undefined
  }

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
        const refusal = refusalOf(group)
        if (refusal !== undefined) return reject(refusal)
        line.push(group, job)
        plan()
      }),
  }
}

const laterByTimer = (run: () => void, ms: number): void => {
  setTimeout(run, ms)
}
