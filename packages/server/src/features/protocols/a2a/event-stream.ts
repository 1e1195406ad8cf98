/** Headers of a stream of Server-Sent Events. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-store',
  // Proxies that gather answers would keep the events for themselves.
  'x-accel-buffering': 'no',
} as const

const keepAliveMs = 15_000

/**
 * JSON values as Server-Sent Events (WHATWG HTML 9.2), with a comment whenever nothing happened for 15 s, so that neither side takes a
 * silent stream for a dead one. What the source throws is told by `onError` as the last event.
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

/** What the promise came to, or undefined once `ms` have passed. */
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
