/** Runs one request after the other, in the order in which they came; one whose signal aborts while it waits never runs. */
export type TurnLine = <value>(run: () => Promise<value>, signal?: AbortSignal) => Promise<value>

/** The most requests in a line, the one that runs included. */
export const turnsMax = 16

/** A line for the requests of one page. One more than `turnsMax` fails at once with the error of `whenFull`. */
export function turnLine(whenFull: () => Error): TurnLine {
  let last: Promise<void> = Promise.resolve()
  let length = 0
  return async (run, signal) => {
    if (length >= turnsMax) throw whenFull()
    length++
    const before = last
    let leave: () => void = () => undefined
    last = new Promise((resolve) => {
      leave = resolve
    })
    try {
      await turnOrAbort(before, signal)
      return await run()
    } finally {
      length--
      // A request that gives up keeps its place until those before it are over.
      void before.then(leave)
    }
  }
}

/** Resolves with the turn; rejects with the signal's reason where that aborts first. */
async function turnOrAbort(turn: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return turn
  signal.throwIfAborted()
  let abort: () => void = () => undefined
  const aborted = new Promise<void>((resolve) => {
    abort = resolve
    signal.addEventListener('abort', abort, { once: true })
  })
  await Promise.race([turn, aborted])
  signal.removeEventListener('abort', abort)
  signal.throwIfAborted()
}
