import { setImmediate as nextTurn } from 'node:timers/promises'

/** Runs work to its end, and lets everything else that waits run between its steps. */
export async function inSteps<result>(work: Generator<undefined, result, undefined>): Promise<result> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    await nextTurn()
  }
}
