import { isFailure } from '../frame-failure.ts'

const pausesMs = [500, 2_000]

/**
 * Calls again when no answer came or the service was not available: for calls that do the same however often they are
 * made. `wasLost` says whether an attempt before the last may have been carried out without an answer.
 */
export async function repeat<value>(
  wait: (ms: number) => Promise<void>,
  call: () => Promise<value>,
): Promise<{ readonly value: value; readonly wasLost: boolean }> {
  let wasLost = false
  for (let attempt = 0; ; attempt++) {
    try {
      return { value: await call(), wasLost }
    } catch (error) {
      const pauseMs = pausesMs[attempt]
      const isLost = isFailure(error, 'network_failed')
      const mayRepeat = isLost || isFailure(error, 'unavailable', 'idempotency_key_in_flight')
      if (pauseMs === undefined || !mayRepeat) throw wasLost || isLost ? new OutcomeUnknown(error) : error
      wasLost ||= isLost
      await wait(pauseMs)
    }
  }
}

/** Thrown when an attempt got no answer, so that it may have been carried out; `cause` is the last one's failure. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'

  constructor(cause: unknown) {
    super('It is not known whether the call was carried out.', { cause })
  }
}
