import { uuidToBytes } from './uuid.ts'

const shareLength = 33

/** What every statement begins with: no transaction of any network does, and bare bytes that do are never signed. */
export const shareRefreshDomain = 'symbolon/share-refresh/v1\0'

/** The refresh that is stated: `polynomialVersion` is the one that it replaces, the shares are 33 bytes each. */
export type ShareRefresh = {
  walletId: string
  polynomialVersion: number
  newProviderShare: Uint8Array
  newProviderShareIndex: number
  newRecoveryShare: Uint8Array
  newRecoveryShareIndex: number
}

/**
 * The bytes that a wallet's key signs to have its shares replaced: secp256k1 by ECDSA over their SHA-256 (r‖s, low s),
 * ed25519 over themselves. They hold the shares: never send or log them, wipe them after use.
 *
 * Domain (26 bytes), wallet id (16), version (4, big-endian), provider index (1) and share (33), recovery index (1) and
 * share (33): every field has one place, so two refreshes never share a statement. Throws `RangeError` on what does not fit.
 */
export function shareRefreshStatement(refresh: ShareRefresh): Uint8Array {
  const { walletId, polynomialVersion: version } = refresh
  if (!Number.isInteger(version) || version < 1 || version >= 2 ** 31)
    throw new RangeError('A polynomial version is 1..2^31-1.')
  const domain = new TextEncoder().encode(shareRefreshDomain)
  const statement = new Uint8Array(domain.length + 16 + 4 + 2 * (1 + shareLength))
  statement.set(domain)
  let at = domain.length
  statement.set(uuidToBytes(walletId), at)
  at += 16
  new DataView(statement.buffer).setUint32(at, version)
  at += 4
  for (const [index, share] of [
    [refresh.newProviderShareIndex, refresh.newProviderShare],
    [refresh.newRecoveryShareIndex, refresh.newRecoveryShare],
  ] as const) {
    if (!Number.isInteger(index) || index < 1 || index > 255) throw new RangeError('A share index is 1..255.')
    if (share.length !== shareLength) throw new RangeError('A share has 33 bytes.')
    statement[at] = index
    statement.set(share, at + 1)
    at += 1 + shareLength
  }
  return statement
}
