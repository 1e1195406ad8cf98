import { createSecretKey, type KeyObject } from 'node:crypto'
import { uuidToBytes } from '@symbolon/crypto'
import { deriveKey, gcmOpen, gcmOverhead, gcmSeal } from '@symbolon/crypto/node'

/** Seals the key of a caller's token into the row of the run that signs with it, until the run ends. */
export type RunTokenKeys = {
  seal(runId: string, tokenKey: Uint8Array): Uint8Array
  /** Throws `EnvelopeError` for another run's, an altered one, or another installation's. */
  open(runId: string, sealed: Uint8Array): Uint8Array
}

/** Seals under a key derived from the pepper for this alone; the run's id is bound in. */
export function runTokenKeys(pepper: KeyObject): RunTokenKeys {
  const key = createSecretKey(deriveKey(pepper, 'symbolon/v1/agent-run-token', 32))
  return {
    seal: (runId, tokenKey) => gcmSeal(key, tokenKey, uuidToBytes(runId)),
    open(runId, sealed) {
      const tokenKey = new Uint8Array(Math.max(0, sealed.length - gcmOverhead))
      gcmOpen(key, sealed, uuidToBytes(runId), tokenKey)
      return tokenKey
    },
  }
}
