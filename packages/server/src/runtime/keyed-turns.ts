/** One turn at a time per key, in the order in which they were asked for; resolves with what ends the turn. */
export function keyedTurns(): (key: string) => Promise<() => void> {
  const last = new Map<string, Promise<void>>()
  return async (key) => {
    const before = last.get(key)
    const { promise, resolve } = Promise.withResolvers<void>()
    last.set(key, promise)
    await before
    return () => {
      if (last.get(key) === promise) last.delete(key)
      resolve()
    }
  }
}
