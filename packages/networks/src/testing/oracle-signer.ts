import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { assembleAnswer, type SignAnswer } from '../assemble-answer.ts'
import type { SignIntent } from '../intent.ts'
import type { Curve } from '../network.ts'
import { signingDigest } from '../signing-digest.ts'

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

/** Signs an intent as the enclave does: `signingDigest`, the curve's own scheme (RFC 6979, low s), the answer. */
export function signIntent(intent: SignIntent, { curve, privateKey, publicKey }: TestKey): SignAnswer {
  const digest = signingDigest(intent, curve, publicKey)
  if (curve === 'ed25519')
    return assembleAnswer(intent, curve, publicKey, ed25519.sign(digest, privateKey), 0)
  const signature = secp256k1.sign(digest, privateKey, { prehash: false, format: 'recovered' })
  return assembleAnswer(intent, curve, publicKey, signature.subarray(1), signature[0] ?? 0)
}
