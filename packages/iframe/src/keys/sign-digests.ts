import { ed25519 } from '@noble/curves/ed25519.js'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { wipe } from '@symbolon/crypto'
import {
  type IsSignature,
  type NonEmpty,
  type RawSignature,
  type SigningDigest,
  taprootOutputKey,
} from '@symbolon/networks/browser'
import type { Curve } from '../protocol/messages.ts'

/** No extra entropy (BIP-340): the same signature each time, as in the enclave. */
const noEntropy = new Uint8Array(32)

/**
 * One signature for each digest, in their order: ECDSA by RFC 6979 with low s, BIP-340 with the key of BIP-86, or
 * ed25519 (RFC 8032). Each is verified against the public key before any leaves; one that does not verify is an `Error`.
 */
export function signDigests(
  digests: NonEmpty<SigningDigest>,
  curve: Curve,
  key: Uint8Array,
  publicKey: Uint8Array,
): NonEmpty<RawSignature> {
  let outputKey: Uint8Array | undefined
  const verifyKey = ({ scheme }: SigningDigest) => {
    if (scheme !== 'taproot') return publicKey
    outputKey ??= taprootOutputKey(publicKey)
    return outputKey
  }
  const signOne = (digest: SigningDigest): RawSignature => {
    const signed = signDigest(digest, curve, key)
    if (!isValid(digest, curve, verifyKey(digest), signed.signature))
      throw new Error('a signature does not verify')
    return signed
  }
  const [first, ...rest] = digests
  return [signOne(first), ...rest.map(signOne)]
}

function signDigest({ payload, scheme }: SigningDigest, curve: Curve, key: Uint8Array): RawSignature {
  if (curve === 'ed25519') return { signature: ed25519.sign(payload, key), recovery: 0 }
  if (scheme === 'taproot') {
    const tweaked = tweakedKey(key)
    try {
      return { signature: schnorr.sign(payload, tweaked, noEntropy), recovery: 0 }
    } finally {
      wipe(tweaked)
    }
  }
  const signed = secp256k1.sign(payload, key, { prehash: false, lowS: true, format: 'recovered' })
  return { signature: signed.slice(1), recovery: signed[0] ?? 0 }
}

/** Whether an ed25519 signature of 64 bytes is good; a key that is no point has none. */
export const isSignature: IsSignature = (signature, message, publicKey) =>
  ed25519.verify(signature, message, publicKey, { zip215: false })

function isValid(
  { payload, scheme }: SigningDigest,
  curve: Curve,
  publicKey: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (curve === 'ed25519') return isSignature(signature, payload, publicKey)
  if (scheme === 'taproot') return schnorr.verify(signature, payload, publicKey)
  return secp256k1.verify(signature, payload, publicKey, { prehash: false, lowS: true })
}

/** BIP-341 `taproot_tweak_seckey` without scripts. */
function tweakedKey(key: Uint8Array): Uint8Array {
  const { Fn, BASE } = secp256k1.Point
  const { pointToBytes, taggedHash } = schnorr.utils
  const scalar = Fn.fromBytes(key)
  const point = BASE.multiply(scalar)
  const tweak = Fn.fromBytes(taggedHash('TapTweak', pointToBytes(point)))
  return Fn.toBytes(Fn.add(point.y % 2n === 0n ? scalar : Fn.neg(scalar), tweak))
}
