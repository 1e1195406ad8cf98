import { createRequire } from 'node:module'
import type { Signer } from './signer.ts'
import type { WasmSecp256k1 } from './wasm-secp256k1.ts'

const require = createRequire(import.meta.url)

type Libsecp256k1 = {
  contextRandomize(seed: Uint8Array): void
  privateKeyVerify(key: Uint8Array): boolean
  publicKeyCreate(key: Uint8Array, isCompressed: boolean, output: Uint8Array): Uint8Array
  ecdsaSign(digest: Uint8Array, key: Uint8Array): { signature: Uint8Array; recid: number }
  ecdsaVerify(signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean
}

/** A signer and the name of the library behind it, which the enclave logs and its status reports. */
export type NamedSigner = { library: 'libsecp256k1' | 'tiny-secp256k1'; signer: Signer }

/**
 * ECDSA over secp256k1: RFC 6979 nonces, low s (BIP 62), recovery id 0..3. The native binding of libsecp256k1, or
 * the same library as WebAssembly where the platform has no binding; never the package's own `elliptic` fallback.
 */
export function signerSecp256k1(wasm: WasmSecp256k1): NamedSigner {
  const native = loadBinding()
  return native === undefined
    ? { library: 'tiny-secp256k1', signer: wasmSigner(wasm) }
    : { library: 'libsecp256k1', signer: nativeSigner(native) }
}

function loadBinding(): Libsecp256k1 | undefined {
  try {
    return require('secp256k1/bindings.js')
  } catch {
    return undefined
  }
}

function nativeSigner(library: Libsecp256k1): Signer {
  // Blinds the multiplication by the generator against side channels.
  library.contextRandomize(crypto.getRandomValues(new Uint8Array(32)))
  return {
    publicKeyBytes: 33,
    isPrivateKey: (key) => library.privateKeyVerify(key),
    publicKey: (key) => library.publicKeyCreate(key, true, new Uint8Array(33)),
    sign(digest, key) {
      const { signature, recid } = library.ecdsaSign(digest, key)
      return { signature, recovery: recid }
    },
    verify: (digest, signature, publicKey) => library.ecdsaVerify(signature, digest, publicKey),
  }
}

/** The WebAssembly form. */
export function wasmSigner(library: WasmSecp256k1): Signer {
  return {
    publicKeyBytes: 33,
    isPrivateKey: library.isPrivateKey,
    publicKey: library.publicKey,
    sign: library.signEcdsa,
    verify: library.verifyEcdsa,
  }
}
