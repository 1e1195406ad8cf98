import { createHash } from 'node:crypto'
import type { SignatureAnswer } from '@symbolon/crypto/node'
import type { WasmSecp256k1 } from './wasm-secp256k1.ts'

/** Signs for the taproot output of a wallet's own key: BIP-340 with the tweaked key of BIP-86. */
export type TaprootSigner = {
  /** Writes the tweaked key (BIP-341 `taproot_tweak_seckey`, no scripts) of `key` into `tweaked` (32 bytes). */
  tweak(key: Uint8Array, publicKey: Uint8Array, tweaked: Uint8Array): void
  /** The output's x-only key; follows from the public key alone. */
  outputKey(publicKey: Uint8Array): Uint8Array
  /** A deterministic signature of a 32-byte digest with what `tweak` made. */
  sign(digest: Uint8Array, tweaked: Uint8Array): SignatureAnswer
  verify(digest: Uint8Array, signature: Uint8Array, outputKey: Uint8Array): boolean
}

const oddPrefix = 3
const tag = createHash('sha256').update('TapTweak').digest()

/** Makes the signer; public keys are compressed (33 bytes) and on the curve. */
export function signerTaproot(library: WasmSecp256k1): TaprootSigner {
  return {
    tweak(key, publicKey, tweaked) {
      if (!library.tweakKey(key, publicKey[0] === oddPrefix, tweakOf(publicKey), tweaked)) {
        throw new Error('key without a tweaked key')
      }
    },
    outputKey(publicKey) {
      const outputKey = library.tweakPublicKey(publicKey.subarray(1), tweakOf(publicKey))
      if (outputKey === undefined) throw new Error('public key without an output key')
      return outputKey
    },
    sign: (digest, tweaked) => ({ signature: library.signSchnorr(digest, tweaked), recovery: 0 }),
    verify: (digest, signature, outputKey) => library.verifySchnorr(digest, signature, outputKey),
  }
}

/** BIP-340's tagged hash of the internal key. */
function tweakOf(publicKey: Uint8Array): Uint8Array {
  return createHash('sha256').update(tag).update(tag).update(publicKey.subarray(1)).digest()
}
