import { hash } from 'node:crypto'
import type { NonEmpty, SigningDigest } from '@symbolon/networks'
import type { Cost } from './marks/freshness-marks.ts'

/** What an allowed request signs, what that costs, and when its policy is over (since 1970; null: never), whatever the request's clock says. */
export type Allowed = Cost & { digests: NonEmpty<SigningDigest>; expiresAtMs: number | null }

/** Recently allowed signing requests, by all bytes of the request: the API sends the same bytes again to have them signed. */
export type AllowedRequests = {
  keep(request: Uint8Array, allowed: Allowed): void
  /** What is kept of a request of the very same bytes, once. */
  take(request: Uint8Array): Allowed | undefined
}

const entriesMax = 1024
const bytesMax = 4 << 20
/** What a spend takes with its texts, about; its caps are those of the policy. */
const spendBytes = 512

/**
 * Keeps at most 1,024 requests and 4 MiB of what they sign; the oldest goes. But for the enclave's own clock and marks, a decision is a function
 * of the request's bytes alone (token, grant, layers, time, intent), so that the same bytes are the same decision. Named by their SHA-256: nothing
 * is kept of the token's key.
 */
export function allowedRequests(): AllowedRequests {
  const entries = new Map<string, { allowed: Allowed; bytes: number }>()
  let bytes = 0

  function drop(name: string): void {
    bytes -= entries.get(name)?.bytes ?? 0
    entries.delete(name)
  }

  function makeRoom(): void {
    for (const name of entries.keys()) {
      if (entries.size <= entriesMax && bytes <= bytesMax) return
      drop(name)
    }
  }

  return {
    keep(request, { digests, ...cost }) {
      const name = nameOf(request)
      drop(name)
      // Copies: the payload of a message is a view of the request, which is wiped.
      const [first, ...others] = digests
      const kept: NonEmpty<SigningDigest> = [copyOf(first), ...others.map(copyOf)]
      const length = kept.reduce((sum, { payload }) => sum + payload.length, cost.spends.length * spendBytes)
      entries.set(name, { allowed: { ...cost, digests: kept }, bytes: length })
      bytes += length
      makeRoom()
    },
    take(request) {
      const name = nameOf(request)
      const entry = entries.get(name)
      if (entry !== undefined) drop(name)
      return entry?.allowed
    },
  }
}

const nameOf = (request: Uint8Array): string => hash('sha256', request, 'binary')

const copyOf = (digest: SigningDigest): SigningDigest => ({
  ...digest,
  payload: Uint8Array.from(digest.payload),
})
