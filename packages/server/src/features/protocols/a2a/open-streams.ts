/** Counts the requests that callers have under way in this process, such as streams: a connection is the process's own, and so is its limit. */
export type OpenStreams = {
  /** Counts a request until `signal` fires, which it does at the end of every request; false where the caller has as many as it may. */
  open(caller: string, signal: AbortSignal): boolean
}

/** Makes a count that lets each caller have `max` requests under way. */
export function openStreams(max: number): OpenStreams {
  const counts = new Map<string, number>()
  return {
    open(caller, signal) {
      const count = counts.get(caller) ?? 0
      if (count >= max) return false
      if (signal.aborted) return true
      counts.set(caller, count + 1)
      signal.addEventListener('abort', () => {
        const left = (counts.get(caller) ?? 1) - 1
        if (left === 0) counts.delete(caller)
        else counts.set(caller, left)
      })
      return true
    },
  }
}
