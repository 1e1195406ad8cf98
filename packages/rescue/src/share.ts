import type { Curve } from '@symbolon/networks/browser'
import { RescueError } from './rescue-error.ts'

/** The facts in a share file about its share; a bare share has none. */
export type ShareOrigin = {
  readonly walletId?: string
  readonly organizationId?: string
  readonly curve?: Curve
  /** 0x hex. */
  readonly publicKey?: string
  readonly address?: string
  readonly polynomialVersion?: number
}

/** A share: 32 bytes of y, then x, which is its index (1 to 255). */
export type Share = { readonly bytes: Uint8Array; readonly index: number; readonly origin: ShareOrigin }

/** Longer than any share file. */
const textMax = 16_384

/**
 * Reads a share as it was stored: base64 of 33 bytes, or the JSON of a share file (`type: "symbolon-share"`,
 * `version: 1`, `share`, and any known `wallet_id`, `organization_id`, `curve`, `public_key`, `address`,
 * `polynomial_version`, `share_index`; fields besides are left alone). Throws `RescueError`.
 */
export function parseShare(text: string): Share {
  const trimmed = text.trim()
  if (trimmed.length > textMax) throw new RescueError('not_a_share')
  return trimmed.startsWith('{') ? shareOfFile(trimmed) : shareOf(trimmed, {})
}

function shareOf(text: string, origin: ShareOrigin): Share {
  const bytes = shareBytes(text)
  const index = bytes?.[32]
  if (bytes === undefined || index === undefined) throw new RescueError('not_a_share')
  if (index === 0) throw new RescueError('zero_index')
  return { bytes, index, origin }
}

/** 33 bytes are exactly 44 characters of base64, without padding. */
function shareBytes(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]{44}$/.test(text)) return undefined
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

function shareOfFile(text: string): Share {
  const fields = jsonObject(text)
  if (fields['type'] !== 'symbolon-share' || fields['version'] !== 1) throw new RescueError('not_a_share')
  const share = shareOf(textField(fields, 'share') ?? '', originOf(fields))
  const index = fields['share_index']
  if (index !== undefined && index !== share.index) throw new RescueError('wrong_index')
  return share
}

function originOf(fields: Record<string, unknown>): ShareOrigin {
  const walletId = textField(fields, 'wallet_id')
  const organizationId = textField(fields, 'organization_id')
  const publicKey = textField(fields, 'public_key')
  const address = textField(fields, 'address')
  const curve = textField(fields, 'curve')
  const polynomialVersion = fields['polynomial_version'] ?? undefined
  if (curve !== undefined && curve !== 'secp256k1' && curve !== 'ed25519')
    throw new RescueError('not_a_share')
  if (polynomialVersion !== undefined && !isVersion(polynomialVersion)) throw new RescueError('not_a_share')
  return {
    ...(walletId !== undefined && { walletId: walletId.toLowerCase() }),
    ...(organizationId !== undefined && { organizationId: organizationId.toLowerCase() }),
    ...(curve !== undefined && { curve }),
    ...(publicKey !== undefined && { publicKey }),
    ...(address !== undefined && { address }),
    ...(polynomialVersion !== undefined && { polynomialVersion }),
  }
}

const isVersion = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1

function textField(fields: Record<string, unknown>, name: string): string | undefined {
  const value = fields[name] ?? undefined
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value === '') throw new RescueError('not_a_share')
  return value
}

function jsonObject(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new RescueError('not_a_share')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RescueError('not_a_share')
  return value as Record<string, unknown>
}
