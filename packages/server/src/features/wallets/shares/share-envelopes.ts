import { wipe } from '@symbolon/crypto'
import { openEnvelope, parseEnvelope, sealEnvelope } from '@symbolon/crypto/node'
import type { Kms } from '../../../ports/kms.ts'

/** Which share of which polynomial an envelope holds; it opens for no other. */
export type SharePosition = {
  organizationId: string
  walletId: string
  shareIndex: number
  polynomialVersion: number
}

/** A sealed share, and the version of the key-encryption key around its data key. */
export type SealedShare = { envelope: Uint8Array; keyVersion: number }

/** Shares of one kind at rest. */
export type ShareEnvelopes = {
  /** Seals under a fresh data key. Rejects with `KmsError`. */
  seal(position: SharePosition, share: Uint8Array): Promise<SealedShare>
  /** Opens; the caller wipes the share. Rejects with `KmsError` or `EnvelopeError`. */
  open(position: SharePosition, envelope: Uint8Array): Promise<Uint8Array>
}

/** Envelopes of client-mode shares: each kind has a key-encryption key of its own, and opens nothing of the other. */
export function shareEnvelopes(kms: Kms, purpose: 'provider' | 'recovery'): ShareEnvelopes {
  return {
    async seal(position, share) {
      const context = { ...position, purpose }
      const { dataKey, wrappedKey } = await kms.generateDataKey(purpose, context)
      try {
        return {
          envelope: sealEnvelope(share, dataKey, wrappedKey, context),
          keyVersion: wrappedKey.keyVersion,
        }
      } finally {
        wipe(dataKey)
      }
    },

    async open(position, envelope) {
      const context = { ...position, purpose }
      const dataKey = await kms.unwrap(parseEnvelope(envelope).wrappedKey, context)
      try {
        return openEnvelope(envelope, dataKey, context)
      } finally {
        wipe(dataKey)
      }
    },
  }
}
