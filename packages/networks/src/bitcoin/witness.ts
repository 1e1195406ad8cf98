import { concat } from '../codec/concat.ts'
import { sized } from './compact-size.ts'
import { derSignature } from './der-signature.ts'

const sighashAll = Uint8Array.of(1)

/** An ECDSA signature as scripts take it: DER, then its hash type ALL. */
export function ecdsaWithHashType(signature: Uint8Array): Uint8Array {
  return concat(derSignature(signature), sighashAll)
}

/** A Schnorr signature as scripts take it: with its hash type ALL, or alone for DEFAULT (BIP-341). */
export function schnorrWithHashType(signature: Uint8Array, hashType: 0 | 1): Uint8Array {
  return hashType === 0 ? signature : concat(signature, sighashAll)
}

/** A witness: its number of items and each item with its length (BIP-144). */
export function encodeWitness(...items: readonly Uint8Array[]): Uint8Array {
  return concat(Uint8Array.of(items.length), ...items.map(sized))
}
