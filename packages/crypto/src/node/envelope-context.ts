import { uuidToBytes } from '../uuid.ts'
import { EnvelopeError } from './envelope-error.ts'
import { type KeyPurpose, purposeCode } from './key-purpose.ts'

/**
 * The row an envelope belongs to; it opens nowhere else.
 *
 * `organizationId` and `walletId` are canonical UUIDs (`walletId` is the id of the row for the purposes `webhook`
 * and `pii`, which have no wallet), `shareIndex` is 0..255 (0 where there is no share), `polynomialVersion`
 * 0..2^32-1.
 */
export type EnvelopeContext = {
  organizationId: string
  walletId: string
  purpose: KeyPurpose
  shareIndex: number
  polynomialVersion: number
}

/** Length of a canonical context, in bytes. */
export const contextLength = 38

/** Writes a context as its 38 canonical bytes, the same for equal contexts only. Throws `EnvelopeError`. */
export function contextBytes(context: EnvelopeContext): Uint8Array {
  const { organizationId, walletId, purpose, shareIndex, polynomialVersion } = context
  if (!isUnsigned(shareIndex, 2 ** 8) || !isUnsigned(polynomialVersion, 2 ** 32)) {
    throw new EnvelopeError('invalid_context')
  }
  const bytes = new Uint8Array(contextLength)
  bytes.set(idBytes(organizationId), 0)
  bytes.set(idBytes(walletId), 16)
  bytes[32] = purposeCode(purpose)
  bytes[33] = shareIndex
  new DataView(bytes.buffer).setUint32(34, polynomialVersion)
  return bytes
}

/** Says whether a value is a whole number from 0 up to, not including, `limit`. */
export const isUnsigned = (value: number, limit: number): boolean =>
  Number.isInteger(value) && value >= 0 && value < limit

const idBytes = (id: string): Uint8Array => {
  try {
    return uuidToBytes(id)
  } catch {
    throw new EnvelopeError('invalid_context')
  }
}
