import { sodium } from './native.ts'

/** Unwrapped data keys by row and wrapped key, in locked memory. */
export type DataKeyCache = {
  /**
   * The data key of a row (36 bytes) and an envelope's first `headerEnd` bytes, the wrapped key included, as a view of
   * locked memory that is valid until the next call. `unwrap` is asked when it is not held; its answer is copied and
   * wiped.
   */
  get(row: Uint8Array, envelope: Uint8Array, headerEnd: number, unwrap: () => Uint8Array): Uint8Array
  /** Zeroes the entries older than the lifetime. */
  sweep(): void
  /** Zeroes all. */
  clear(): void
  size(): number
}

type Entry = { key: Uint8Array; expiresAtMs: number }
const keyBytes = 32

/**
 * A cache of at most `entriesMax` keys, each held at most `lifetimeMs` after its unwrapping; the least recently
 * used one makes room. `nowMs` is a monotonic clock.
 */
export function dataKeyCache(entriesMax: number, lifetimeMs: number, nowMs: () => number): DataKeyCache {
  const slab = sodium.sodium_malloc(entriesMax * keyBytes)
  const free = Array.from({ length: entriesMax }, (_, i) => slab.subarray(i * keyBytes, (i + 1) * keyBytes))
  const entries = new Map<string, Entry>()
  const nameOf = entryNames()

  function evict(name: string, entry: Entry): void {
    entries.delete(name)
    sodium.sodium_memzero(entry.key)
    free.push(entry.key)
  }

  function evictOldest(): void {
    for (const [name, entry] of entries) {
      evict(name, entry)
      return
    }
  }

  return {
    get(row, envelope, headerEnd, unwrap) {
      const name = nameOf(row, envelope, headerEnd)
      const now = nowMs()
      const held = entries.get(name)
      if (held !== undefined) {
        if (held.expiresAtMs > now) {
          entries.delete(name)
          entries.set(name, held)
          return held.key
        }
        evict(name, held)
      }
      const fresh = unwrap()
      if (free.length === 0) evictOldest()
      const key = free.pop()
      if (key === undefined) throw new Error('data-key cache has no room for a single key')
      key.set(fresh)
      fresh.fill(0)
      entries.set(name, { key, expiresAtMs: now + lifetimeMs })
      return key
    },
    sweep() {
      const now = nowMs()
      for (const [name, entry] of entries) if (entry.expiresAtMs <= now) evict(name, entry)
    },
    clear() {
      for (const [name, entry] of entries) evict(name, entry)
    },
    size: () => entries.size,
  }
}

/**
 * Names an entry by the bytes themselves as a text, which a map compares exactly. The row has a fixed length and the rest is last: no
 * two inputs have one text. The buffer is used again.
 */
function entryNames(): (row: Uint8Array, envelope: Uint8Array, headerEnd: number) => string {
  let scratch = Buffer.allocUnsafeSlow(512)
  return (row, envelope, headerEnd) => {
    const length = row.length + headerEnd
    if (length > scratch.length) scratch = Buffer.allocUnsafeSlow(length)
    for (let i = 0; i < row.length; i++) scratch[i] = row[i] ?? 0
    for (let i = 0; i < headerEnd; i++) scratch[row.length + i] = envelope[i] ?? 0
    return scratch.toString('latin1', 0, length)
  }
}
