import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '#sha2'
import { concat } from '../codec/concat.ts'
import { bytesToQuantity, quantityToWord } from '../codec/quantity.ts'
import { xOfSum } from '../curves/add-multiple.ts'
import { secp256k1Point } from '../curves/secp256k1-point.ts'
import { invalidRequest } from '../network-error.ts'
import { taggedHash } from './tagged-hash.ts'

/** HASH160 of a compressed public key: the witness program of P2WPKH (BIP-141). */
export function keyHash(publicKey: Uint8Array): Uint8Array {
  return ripemd160(sha256(publicKey))
}

/** The x-only output key of a key-path-only taproot output (BIP-86, BIP-341 `taproot_tweak_pubkey`). */
export function taprootOutputKey(publicKey: Uint8Array): Uint8Array {
  const internalKey = publicKey.subarray(1)
  // BIP-341 takes the point with the even y, whichever the wallet's has.
  const point = secp256k1Point(concat(Uint8Array.of(2), internalKey))
  const x = point && xOfSum(point, bytesToQuantity(taggedHash('TapTweak', internalKey)))
  if (x === undefined) throw invalidRequest('The public key is not a point of secp256k1.')
  return quantityToWord(x)
}
