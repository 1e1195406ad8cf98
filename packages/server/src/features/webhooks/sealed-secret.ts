import { wipe } from '@symbolon/crypto'
import { type EnvelopeContext, openEnvelope, parseEnvelope, sealEnvelope } from '@symbolon/crypto/node'
import type { Kms } from '../../ports/kms.ts'

/** Which secret it is. It opens only for this organization and under this id. */
export type SecretOwner = { organizationId: string; secretId: string }

const contextOf = ({ organizationId, secretId }: SecretOwner): EnvelopeContext => ({
  organizationId,
  walletId: secretId,
  purpose: 'webhook',
  shareIndex: 0,
  polynomialVersion: 0,
})

/** Seals a signing secret for its row under a data key of its own. Rejects with `KmsError`. */
export async function sealSecret(kms: Kms, owner: SecretOwner, secret: string): Promise<Uint8Array> {
  const context = contextOf(owner)
  const { dataKey, wrappedKey } = await kms.generateDataKey('webhook', context)
  try {
    return sealEnvelope(Buffer.from(secret, 'ascii'), dataKey, wrappedKey, context)
  } finally {
    wipe(dataKey)
  }
}

/** Opens a signing secret of its row. Rejects with `KmsError`, or `EnvelopeError` for another row's. */
export async function openSecret(kms: Kms, owner: SecretOwner, sealed: Uint8Array): Promise<string> {
  const context = contextOf(owner)
  const dataKey = await kms.unwrap(parseEnvelope(sealed).wrappedKey, context)
  try {
    return Buffer.from(openEnvelope(sealed, dataKey, context)).toString('ascii')
  } finally {
    wipe(dataKey)
  }
}
