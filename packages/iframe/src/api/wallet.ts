import { compressPublicKey } from '@symbolon/networks/browser'
import type { Curve, JsonObject } from '../protocol/messages.ts'
import { answerFields, hexBytes, number, text } from './answer-fields.ts'

/** A wallet of the API; `wire` is the API's answer, passed to the page unchanged. */
export type Wallet = {
  readonly id: string
  readonly organizationId: string
  readonly userIdentityId: string
  readonly curve: Curve
  /** 33 bytes compressed, or 32; a point of the curve. */
  readonly publicKey: Uint8Array
  readonly polynomialVersion: number
  readonly isArchived: boolean
  readonly wire: JsonObject
}

/** The wallet of an answer; one of another curve, or with a key off the curve, is refused (`internal`). */
export function readWallet(data: unknown, curve: Curve): Wallet {
  const wire = answerFields(data)
  if (wire['curve'] !== curve) throw new Error('a wallet of another curve')
  return {
    id: text(wire, 'id'),
    organizationId: text(wire, 'organization_id'),
    userIdentityId: text(wire, 'user_identity_id'),
    curve,
    publicKey: compressPublicKey(curve, hexBytes(wire, 'public_key')),
    polynomialVersion: number(wire, 'polynomial_version'),
    isArchived: wire['status'] !== 'active',
    wire,
  }
}
