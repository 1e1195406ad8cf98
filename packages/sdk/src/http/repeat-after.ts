import type { Attempt } from './attempt.ts'

/** The longest `Retry-After` that is waited out instead of being handed on. */
const waitMsMax = 15_000
const backoffMs = [300, 1_000]
/** How often and after how long to ask whether the first sending, whose answer was lost, has come to its end. */
const inFlight = { attemptsMax: 10, ms: 1_000 }

/** After how many milliseconds the call is made again; undefined: it stays with this answer. `attempt` counts from 1. */
export function repeatAfterMs(
  { result, retryAfterMs }: Attempt,
  attempt: number,
  isRepeatable: boolean,
): number | undefined {
  switch (result.error?.code) {
    case 'network_failed':
      return isRepeatable ? backoffMs[attempt - 1] : undefined
    case 'unavailable':
      return isRepeatable && attempt < 3 ? Math.min(retryAfterMs ?? 1_000, waitMsMax) : undefined
    case 'idempotency_key_in_flight':
      return isRepeatable && attempt < inFlight.attemptsMax ? inFlight.ms : undefined
    default:
      return undefined
  }
}
