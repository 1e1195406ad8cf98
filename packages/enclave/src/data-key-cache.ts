import { hash } from 'node:crypto'
import type { EnvelopeContext } from '@symbolon/crypto/node'
import { sodium } from './native.ts'

/** Unwrapped data keys by envelope and context, in locked memory. */
export type DataKeyCache = {
  /**
   * The data key, as a view of locked memory that is valid until the next call. `unwrap` is asked when it is
   * not held; its answer is copied and wiped.
   */
  get(envelope: Uint8Array, context: EnvelopeContext, unwrap: () => Uint8Array): Uint8Array
  /** Zeroes the entries older than the lifetime. */
  sweep(): void
  /** Zeroes all. */
  clear(): void
  size(): number
}

type Entry = { key: Uint8Array; expiresAtMs: number }
const keyBytes = 32

// The whole envelope, wrapped key included, so that a hit needs no parsing. The context has only canonical texts and
// numbers and the envelope is last: no two inputs have one encoding.
function nameOf(envelope: Uint8Array, context: EnvelopeContext): string {
  const { organizationId, walletId, purpose, shareIndex, polynomialVersion } = context
  const head = `${organizationId}|${walletId}|${purpose}|${shareIndex}|${polynomialVersion}|`
  const bytes = Buffer.allocUnsafe(head.length + envelope.length)
  bytes.write(head, 0, 'latin1')
  bytes.set(envelope, head.length)
  return hash('sha256', bytes, 'binary')
}

/**
 * A cache of at most `entriesMax` keys, each held at most `lifetimeMs` after its unwrapping; the least recently
 * used one makes room. `nowMs` is a monotonic clock.
 */
export function dataKeyCache(entriesMax: number, lifetimeMs: number, nowMs: () => number): DataKeyCache {
  const slab = sodium.sodium_malloc(entriesMax * keyBytes)
  const free = Array.from({ length: entriesMax }, (_, i) => slab.subarray(i * keyBytes, (i + 1) * keyBytes))
  const entries = new Map<string, Entry>()

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
    get(envelope, context, unwrap) {
      const name = nameOf(envelope, context)
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
