import { A2AError } from '@a2a-js/sdk/errors'
import type { A2ARequestHandler } from '@a2a-js/sdk/server'

/**
 * A handler whose failures reveal nothing: an error that is not one of the protocol becomes an internal one, and is kept in `failures` for
 * whoever answers the request.
 */
export function guardedHandler(handler: A2ARequestHandler, failures: unknown[]): A2ARequestHandler {
  async function* stream(events: AsyncIterable<unknown>) {
    try {
      yield* events
    } catch (error) {
      throw guardedError(error, failures)
    }
  }
  return new Proxy(handler, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...given: unknown[]): unknown => {
        const made: unknown = Reflect.apply(method, target, given)
        if (isStream(made)) return stream(made)
        return made instanceof Promise
          ? made.catch((error: unknown) => Promise.reject(guardedError(error, failures)))
          : made
      }
    },
  })
}

/** An error of the protocol as it is; any other is kept in `failures` and becomes an internal one. */
export function guardedError(error: unknown, failures: unknown[]): A2AError {
  if (error instanceof A2AError) return error
  failures.push(error)
  return new A2AError('Internal error.')
}

/** Whether a value comes piece by piece. */
export const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value
