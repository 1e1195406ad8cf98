import { combineShares, wipe } from '@symbolon/crypto'
import { type Curve, compressPublicKey, networks, walletAddresses } from '@symbolon/networks/browser'
import { isAddress, isPrivateKey, publicKeyOf } from '@symbolon/networks/private-key'
import { RescueError } from './rescue-error.ts'
import type { Share, ShareOrigin } from './share.ts'

/** Known facts of the wallet besides the shares, to check the rebuilt key against. */
export type Known = { readonly curve?: Curve; readonly publicKey?: string; readonly address?: string }

/** A rebuilt key. `checkedBy` says what proved it; `nothing` means that two wrong shares would look the same. */
export type RebuiltKey = {
  readonly curve: Curve
  /** 32 bytes; whoever gets them wipes them. */
  readonly key: Uint8Array
  readonly publicKey: Uint8Array
  /** By their names in the HTTP API. */
  readonly addresses: Readonly<Record<string, string>>
  readonly checkedBy: 'public_key' | 'address' | 'nothing'
}

/**
 * Rebuilds the key of two shares, and checks it against every public key and address that the share files or `known`
 * name. Two bare shares without those need at least the curve, and give a key that nothing proves. Throws `RescueError`.
 */
export function rebuildKey(a: Share, b: Share, known: Known = {}): RebuiltKey {
  refuseStrangers(a.origin, b.origin)
  if (a.index === b.index) throw new RescueError('equal_index')
  const origins = [a.origin, b.origin, known]
  const curves = new Set(origins.flatMap(({ curve }) => curve ?? []))
  if (curves.size > 1) throw new RescueError('different_curves')
  const publicKeys = origins.flatMap(({ publicKey }) => publicKey ?? [])
  const addresses = origins.flatMap(({ address }) => address ?? [])
  // Without a curve, the known facts of the wallet decide between the two.
  const [curve] = curves
  if (curve === undefined && publicKeys.length === 0 && addresses.length === 0)
    throw new RescueError('curve_needed')
  const key = new Uint8Array(32)
  combineShares(a.bytes, b.bytes, key)
  try {
    for (const candidate of curve === undefined ? (['secp256k1', 'ed25519'] as const) : [curve]) {
      const rebuilt = provenKey(candidate, key, publicKeys, addresses)
      if (rebuilt !== undefined) return rebuilt
    }
    const areAddresses = addresses.every((address) => isAddress(networks, address.trim()))
    throw new RescueError(areAddresses ? 'wrong_key' : 'not_an_address')
  } catch (error) {
    wipe(key)
    throw error
  }
}

function refuseStrangers(a: ShareOrigin, b: ShareOrigin): void {
  const differs = (name: keyof ShareOrigin) =>
    a[name] !== undefined && b[name] !== undefined && a[name] !== b[name]
  if (differs('walletId') || differs('organizationId')) throw new RescueError('different_wallets')
  if (differs('curve')) throw new RescueError('different_curves')
  if (differs('polynomialVersion')) throw new RescueError('different_versions')
}

function provenKey(
  curve: Curve,
  key: Uint8Array,
  publicKeys: readonly string[],
  expectedAddresses: readonly string[],
): RebuiltKey | undefined {
  if (!isPrivateKey(curve, key)) return undefined
  const publicKey = publicKeyOf(curve, key)
  const addresses = walletAddresses(networks, curve, publicKey)
  const own = Object.values(addresses).map(comparable)
  const isExpected =
    publicKeys.every((text) => isSamePublicKey(curve, text, publicKey)) &&
    expectedAddresses.every((address) => own.includes(comparable(address)))
  if (!isExpected) return undefined
  const checkedBy =
    publicKeys.length > 0 ? 'public_key' : expectedAddresses.length > 0 ? 'address' : 'nothing'
  return { curve, key, publicKey, addresses, checkedBy }
}

/** Hex and bech32 mean the same in either case; base58 does not. */
function comparable(address: string): string {
  const trimmed = address.trim()
  const isCaseless = /^(?:(?:0x)?[0-9a-f]+|(?:bc|tb|cosmos|osmo)1[0-9a-z]+)$/i.test(trimmed)
  return isCaseless ? trimmed.toLowerCase() : trimmed
}

function isSamePublicKey(curve: Curve, text: string, publicKey: Uint8Array): boolean {
  const digits = /^0x((?:[0-9a-f]{2}){32,65})$/i.exec(text.trim())?.[1]
  if (digits === undefined) throw new RescueError('not_a_public_key')
  const given = Uint8Array.from(digits.match(/../g) ?? [], (digit) => Number.parseInt(digit, 16))
  // On the other curve it is a point only by chance, and never of this key.
  if ((curve === 'ed25519') !== (given.length === 32)) return false
  try {
    const compressed = compressPublicKey(curve, given)
    return compressed.every((byte, index) => byte === publicKey[index])
  } catch {
    throw new RescueError('not_a_public_key')
  }
}
