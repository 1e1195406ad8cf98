/** Headers of a stream of Server-Sent Events. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-store',
  // Proxies that buffer answers would hold the events back.
  'x-accel-buffering': 'no',
} as const

const keepAliveMs = 15_000

/**
 * JSON values as Server-Sent Events (WHATWG HTML 9.2), with a comment after each 15 s of silence, so that neither side takes the stream for a
 * dead one. If the source throws, the last event is what `onError` returns.
 */
export async function* eventStream(
  events: AsyncIterator<unknown>,
  onError: (error: unknown) => unknown,
): AsyncGenerator<string> {
  const step = () =>
    events.next().then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    )
  let next = step()
  try {
    while (true) {
      const made = await within(next, keepAliveMs)
      if (made === undefined) yield ': still here\n\n'
      else if ('error' in made) return yield event(onError(made.error))
      else if (made.result.done === true) return
      else {
        yield event(made.result.value)
        next = step()
      }
    }
  } finally {
    await events.return?.()
  }
}

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

/** The promise's value, or undefined once `ms` have passed. */
async function within<value>(promise: Promise<value>, ms: number): Promise<value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
