/** Runs one at a time per key, in the order of the calls; what one throws is its caller's alone. */
export function keyedTurns(): <result>(key: string, run: () => Promise<result>) => Promise<result> {
  const last = new Map<string, Promise<unknown>>()
  return async (key, run) => {
    const before = last.get(key)
    const mine = (before ?? Promise.resolve()).then(run, run)
    const settled = mine.catch(() => {})
    last.set(key, settled)
    try {
      return await mine
    } finally {
      if (last.get(key) === settled) last.delete(key)
    }
  }
}
