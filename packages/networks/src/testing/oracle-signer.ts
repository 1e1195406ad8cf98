import { ed25519 } from '@noble/curves/ed25519.js'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { SignAnswer } from '../assemble-answer.ts'
import type { Curve } from '../chain.ts'
import type { SignIntent } from '../intent/intent.ts'
import type { NonEmpty, RawSignature, SigningDigest } from '../signature.ts'
import { assembleAnswer, signingDigests } from './by-intent.ts'

/** A key of a test: noble signs with it, so that our code never meets a private key. */
export type TestKey = { curve: Curve; privateKey: Uint8Array; publicKey: Uint8Array }

/** The `index`th of an endless row of keys, the same in every run. */
export function testKey(curve: Curve, index: number): TestKey {
  const privateKey = sha256(new TextEncoder().encode(`${curve} ${index}`))
  const publicKey =
    curve === 'secp256k1' ? secp256k1.getPublicKey(privateKey, true) : ed25519.getPublicKey(privateKey)
  return { curve, privateKey, publicKey }
}

/** The first `count` keys of a curve. */
export function testKeys(curve: Curve, count: number): TestKey[] {
  return Array.from({ length: count }, (_, index) => testKey(curve, index))
}

/** Signs an intent as the enclave does: `signingDigests`, each by its scheme (RFC 6979 and low s), the answer. */
export function signIntent(intent: SignIntent, key: TestKey): SignAnswer {
  return assembleAnswer(intent, key.curve, key.publicKey, rawSignatures(intent, key))
}

/** The signatures of an intent as the enclave answers them. */
export function rawSignatures(intent: SignIntent, key: TestKey): NonEmpty<RawSignature> {
  const [first, ...rest] = signingDigests(intent, key.curve, key.publicKey)
  return [signDigest(first, key), ...rest.map((digest) => signDigest(digest, key))]
}

function signDigest({ payload, scheme }: SigningDigest, { curve, privateKey }: TestKey): RawSignature {
  if (curve === 'ed25519') return { signature: ed25519.sign(payload, privateKey), recovery: 0 }
  if (scheme === 'taproot') {
    return { signature: schnorr.sign(payload, tweaked(privateKey), new Uint8Array(32)), recovery: 0 }
  }
  const signature = secp256k1.sign(payload, privateKey, { prehash: false, format: 'recovered' })
  return { signature: signature.subarray(1), recovery: signature[0] ?? 0 }
}

/** BIP-341 `taproot_tweak_seckey` without scripts. */
function tweaked(privateKey: Uint8Array): Uint8Array {
  const { Fn } = secp256k1.Point
  const { pointToBytes, taggedHash } = schnorr.utils
  const point = secp256k1.Point.fromBytes(secp256k1.getPublicKey(privateKey, true))
  const scalar = Fn.fromBytes(privateKey)
  const tweak = Fn.fromBytes(taggedHash('TapTweak', pointToBytes(point)))
  return Fn.toBytes(Fn.add(point.y % 2n === 0n ? scalar : Fn.neg(scalar), tweak))
}
