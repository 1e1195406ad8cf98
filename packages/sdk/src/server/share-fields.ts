import { fromBase64, toBase64 } from '../bytes.ts'

/** Which share of which wallet a message is about: the six fields that every one of them names. */
export type RecoveryShareFields = {
  readonly organizationId: string
  readonly userIdentityId: string
  readonly walletId: string
  readonly curve: string
  readonly shareIndex: number
  readonly polynomialVersion: number
}

/** A share sealed to the receiver's key (HPKE): both parts in base64. */
export type SealedShare = { readonly enc: string; readonly ciphertext: string }

const curves = ['secp256k1', 'ed25519']
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const versionMax = 2 ** 31 - 1

/** Reads the six fields, or `undefined` where one is missing or malformed. */
export function readShareFields(data: Readonly<Record<string, unknown>>): RecoveryShareFields | undefined {
  const ids = [data['organization_id'], data['user_identity_id'], data['wallet_id']]
  const [organizationId, userIdentityId, walletId] = ids.filter(isId)
  const { curve, share_index: shareIndex, polynomial_version: polynomialVersion } = data
  const isWhole =
    organizationId !== undefined &&
    userIdentityId !== undefined &&
    walletId !== undefined &&
    typeof curve === 'string' &&
    curves.includes(curve) &&
    isBetween(shareIndex, 1, 255) &&
    isBetween(polynomialVersion, 1, versionMax)
  return isWhole
    ? { organizationId, userIdentityId, walletId, curve, shareIndex, polynomialVersion }
    : undefined
}

/** The associated data that binds a share to its six fields: their RFC 8785 JSON. Ids, curve and whole numbers need no escapes there. */
export function sealingContext(fields: RecoveryShareFields): Uint8Array<ArrayBuffer> {
  const { curve, organizationId, polynomialVersion, shareIndex, userIdentityId, walletId } = fields
  return new TextEncoder().encode(
    JSON.stringify({
      curve,
      organization_id: organizationId,
      polynomial_version: polynomialVersion,
      share_index: shareIndex,
      user_identity_id: userIdentityId,
      wallet_id: walletId,
    }),
  )
}

/** The 33 bytes of a share in base64, or `undefined` if it is malformed or has another index. */
export function shareBytes(text: unknown, index: number): Uint8Array<ArrayBuffer> | undefined {
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/]{44}$/.test(text)) return undefined
  const bytes = fromBase64(text)
  return bytes[32] === index ? bytes : undefined
}

/** Reads the two parts of a sealed share, or `undefined` if they are not base64. */
export function readSealedShare(value: unknown): SealedShare | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { enc, ciphertext } = value as Partial<Record<keyof SealedShare, unknown>>
  return isBase64(enc) && isBase64(ciphertext) ? { enc, ciphertext } : undefined
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && uuid.test(value)
}

function isBetween(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max
}

function isBase64(value: unknown): value is string {
  if (typeof value !== 'string' || value === '') return false
  try {
    return toBase64(fromBase64(value)) === value
  } catch {
    return false
  }
}
