import { A2AError } from '@a2a-js/sdk/errors'
import type { TaskHandler } from './task-handler.ts'

/**
 * A handler whose failures say nothing of themselves: what is no error of the protocol becomes one without a word, and is kept in
 * `failures` for whoever answers the request.
 */
export function guardedHandler(handler: TaskHandler, failures: unknown[]): TaskHandler {
  const kept = (error: unknown): Error => {
    if (error instanceof A2AError) return error
    failures.push(error)
    return new A2AError('Internal error.')
  }
  async function* stream(events: AsyncIterable<unknown>) {
    try {
      yield* events
    } catch (error) {
      throw kept(error)
    }
  }
  return new Proxy(handler, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...given: unknown[]): unknown => {
        const made: unknown = Reflect.apply(method, target, given)
        if (isStream(made)) return stream(made)
        return made instanceof Promise ? made.catch((error: unknown) => Promise.reject(kept(error))) : made
      }
    },
  })
}

/** Whether a value comes piece by piece. */
export const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value
