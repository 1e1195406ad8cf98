import { pause } from './pause.ts'

/** The longest `Retry-After` that is waited out instead of being handed on. */
const retryAfterMsMax = 10_000
/** The longest time that one call waits for rates, its turns included. */
const patienceMs = 90_000

/** One call on its way through the rate limit of its route. */
export type RateTurn = {
  /** Waits while earlier calls of the route wait out a 429. */
  readonly ready: () => Promise<void>
  /** Waits out a 429. False: the caller gets it, because the wait would be too long. */
  readonly later: (retryAfterMs: number | undefined) => Promise<boolean>
  /** Lets the next call pass. Always called once, at the end. */
  readonly end: () => void
}

/**
 * Retries the calls of a route that got a 429 one at a time, in the order in which they were made. New calls queue up behind them.
 */
export type RateLine = (route: string, signal: AbortSignal | undefined) => RateTurn

type Place = { readonly number: number; wake: () => void }

/** A line for the calls of one client. */
export function rateLine(now: () => number = () => performance.now()): RateLine {
  const lines = new Map<string, Place[]>()
  let calls = 0
  return (route, signal) => {
    const place: Place = { number: ++calls, wake: () => undefined }
    const places = () => lines.get(route) ?? []
    const join = () => {
      if (places().includes(place)) return
      lines.set(
        route,
        [...places(), place].sort((one, other) => one.number - other.number),
      )
    }
    let endsAt = Number.POSITIVE_INFINITY
    const isOver = () => signal?.aborted === true || now() > endsAt
    /** Resolves when the call is the first of its line, or will not wait any longer. */
    const first = async () => {
      while (places()[0] !== place && !isOver()) {
        const woken = new AbortController()
        place.wake = () => woken.abort()
        await pause(endsAt - now(), signal, woken.signal)
      }
    }
    return {
      async ready() {
        if (places().length === 0) return
        endsAt = now() + patienceMs
        join()
        await first()
      },
      async later(retryAfterMs) {
        if (retryAfterMs === undefined || retryAfterMs > retryAfterMsMax) return false
        if (endsAt === Number.POSITIVE_INFINITY) endsAt = now() + patienceMs
        const earliest = now() + retryAfterMs
        if (earliest > endsAt) return false
        if (places().length === 0)
          // biome-ignore lint/suspicious/noConsole: the developer who sees a call take long has nothing else to tell why.
          console.warn(`${route}: rate limited, sent again in ${retryAfterMs / 1_000} s`)
        join()
        for (await first(); now() < earliest && !isOver(); await first())
          await pause(earliest - now(), signal)
        // A canceled call leaves the line too: it is not sent, but answered as `cancelled`.
        return signal?.aborted === true || !isOver()
      },
      end() {
        const rest = places().filter((other) => other !== place)
        if (rest.length === 0) lines.delete(route)
        else lines.set(route, rest)
        rest[0]?.wake()
      },
    }
  }
}
