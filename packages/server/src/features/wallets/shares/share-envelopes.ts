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

/** The shares of client wallets that we keep. Each purpose has its own key-encryption key, which opens nothing of the other. */
type StoredPurpose = 'provider' | 'recovery'

/** A sealed share, and the version of the key-encryption key around its data key. */
export type SealedShare = { envelope: Uint8Array; keyVersion: number }

/** Seals a share under a fresh data key. Rejects with `KmsError`. */
export async function sealShare(
  kms: Kms,
  purpose: StoredPurpose,
  position: SharePosition,
  share: Uint8Array,
): Promise<SealedShare> {
  const context = { ...position, purpose }
  const { dataKey, wrappedKey } = await kms.generateDataKey(purpose, context)
  try {
    return { envelope: sealEnvelope(share, dataKey, wrappedKey, context), keyVersion: wrappedKey.keyVersion }
  } finally {
    wipe(dataKey)
  }
}

/** Opens a sealed share; whoever calls wipes it. Rejects with `KmsError` or `EnvelopeError`. */
export async function openShare(
  kms: Kms,
  purpose: StoredPurpose,
  position: SharePosition,
  envelope: Uint8Array,
): Promise<Uint8Array> {
  const context = { ...position, purpose }
  const dataKey = await kms.unwrap(parseEnvelope(envelope).wrappedKey, context)
  try {
    return openEnvelope(envelope, dataKey, context)
  } finally {
    wipe(dataKey)
  }
}
