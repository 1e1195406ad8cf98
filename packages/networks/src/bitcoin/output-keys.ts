import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToQuantity } from '../quantity.ts'

const { Point } = secp256k1

/** HASH160 of a compressed public key: the witness program of P2WPKH (BIP-141). */
export function keyHash(publicKey: Uint8Array): Uint8Array {
  return ripemd160(sha256(publicKey))
}

/** The x-only output key of a key-path-only taproot output (BIP-86, BIP-341 `taproot_tweak_pubkey`). */
export function taprootOutputKey(publicKey: Uint8Array): Uint8Array {
  const internalKey = publicKey.subarray(1)
  const tweak = bytesToQuantity(schnorr.utils.taggedHash('TapTweak', internalKey))
  const internalPoint = schnorr.utils.lift_x(bytesToQuantity(internalKey))
  return internalPoint.add(Point.BASE.multiply(tweak)).toBytes(true).subarray(1)
}
