const tickMs = 500

/** A connection as the watch sees it. */
export type Watched = {
  /** Whether the other side owes an answer. */
  isOwed(): boolean
  /** Bytes that have come so far. */
  bytesRead(): number
  end(reason: Error): void
}

type Quiet = { bytesRead: number; quietTicks: number; owedTicks: number }

/** Watches a connection until it is let go. */
export type SilenceWatch = (connection: Watched) => { letGo(): void }

/**
 * Ends connections (`ETIMEDOUT`) whose other side has left something unanswered for `silenceMs`. A host that vanished without a
 * word would otherwise be waited for until TCP gives up, a quarter of an hour. Idle ones that have been as quiet for as long
 * end with it: they lead to the same host. Time is counted in ticks of our own event loop: while that stands still, nobody is
 * blamed.
 */
export function silenceWatch(silenceMs: number): SilenceWatch {
  const all = new Map<Watched, Quiet>()
  const ticksMax = Math.ceil(silenceMs / tickMs)
  let timer: NodeJS.Timeout | undefined

  function tick() {
    let isAnySilent = false
    for (const [connection, quiet] of all) {
      const bytesRead = connection.bytesRead()
      const isQuiet = bytesRead === quiet.bytesRead
      quiet.bytesRead = bytesRead
      quiet.quietTicks = isQuiet ? quiet.quietTicks + 1 : 0
      quiet.owedTicks = isQuiet && connection.isOwed() ? quiet.owedTicks + 1 : 0
      if (quiet.owedTicks >= ticksMax) isAnySilent = true
    }
    if (isAnySilent) endQuiet()
  }

  function endQuiet() {
    for (const [connection, { quietTicks }] of [...all]) {
      if (quietTicks < ticksMax) continue
      connection.end(Object.assign(new Error('The database does not answer.'), { code: 'ETIMEDOUT' }))
    }
  }

  return (connection) => {
    all.set(connection, { bytesRead: 0, quietTicks: 0, owedTicks: 0 })
    timer ??= setInterval(tick, tickMs).unref()
    return {
      letGo() {
        all.delete(connection)
        if (all.size > 0) return
        clearInterval(timer)
        timer = undefined
      },
    }
  }
}
