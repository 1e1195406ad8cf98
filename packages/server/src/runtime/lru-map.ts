/** A map of at most `entriesMax` entries that forgets the one used least recently. */
export type LruMap<key, value> = {
  get(key: key): value | undefined
  set(key: key, value: value): void
  delete(key: key): void
  readonly size: number
}

/** Makes an `LruMap`; a JavaScript map keeps the order of insertion, so the first entry is the oldest. */
export function lruMap<key, value>(entriesMax: number): LruMap<key, value> {
  const entries = new Map<key, value>()
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= entriesMax) return
      for (const oldest of entries.keys()) {
        entries.delete(oldest)
        break
      }
    },
    delete: (key) => void entries.delete(key),
    get size() {
      return entries.size
    },
  }
}
