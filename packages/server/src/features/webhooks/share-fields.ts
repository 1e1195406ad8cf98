import { sealToP256 } from '@symbolon/crypto/hpke'
import type { RecoveryShareRef } from '../../ports/recovery-share-store.ts'
import { type EncryptionKey, pointOf } from './encryption-key.ts'

const info = Buffer.from('recovery-share/v1', 'ascii')

/** The six fields that name a share on the wire. */
export const refFields = (ref: RecoveryShareRef) => ({
  organization_id: ref.organizationId,
  user_identity_id: ref.userIdentityId,
  wallet_id: ref.walletId,
  curve: ref.curve,
  share_index: ref.shareIndex,
  polynomial_version: ref.polynomialVersion,
})

/**
 * The fields of a message that carries a share: in base64, or sealed to the organization's key (HPKE, info
 * `recovery-share/v1`), with the other fields as AAD so that no share passes for another wallet's or version's.
 */
export async function shareFields(
  fields: Readonly<Record<string, string | number>>,
  share: Uint8Array,
  encryptionKey: EncryptionKey | null,
): Promise<Record<string, unknown>> {
  if (encryptionKey === null) return { ...fields, recovery_share: Buffer.from(share).toString('base64') }
  const aad = canonicalJson(fields)
  const { enc, ciphertext } = await sealToP256(pointOf(encryptionKey), share, { info, aad })
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  return { ...fields, sealed_share: { enc: text(enc), ciphertext: text(ciphertext) } }
}

/** RFC 8785 of a flat object: sorted by UTF-16 code units, no space; ids and whole numbers are canonical as they are. */
function canonicalJson(fields: Readonly<Record<string, string | number>>): Uint8Array {
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
  return Buffer.from(JSON.stringify(Object.fromEntries(sorted)), 'utf8')
}
