import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

// Gives the path of a package's file.
const require = createRequire(import.meta.url)

/** What the module exports; an input is the address of its bytes. */
type Exports = WebAssembly.Exports & {
  memory: WebAssembly.Memory
  PRIVATE_INPUT: WebAssembly.Global
  HASH_INPUT: WebAssembly.Global
  TWEAK_INPUT: WebAssembly.Global
  PUBLIC_KEY_INPUT: WebAssembly.Global
  X_ONLY_PUBLIC_KEY_INPUT: WebAssembly.Global
  SIGNATURE_INPUT: WebAssembly.Global
  initializeContext(): void
  privateAdd(): number
  privateNegate(): void
  pointFromScalar(length: number): number
  signRecoverable(hasExtraData: number): number
  verify(publicKeyLength: number, isStrict: number): number
  signSchnorr(hasExtraData: number): void
  verifySchnorr(): number
  xOnlyPointAddTweak(): number
}

/**
 * libsecp256k1 as WebAssembly (the module of tiny-secp256k1). Every function that meets a secret leaves no copy of it in
 * the module's memory: its input and its stack are zeroed before it returns.
 */
export type WasmSecp256k1 = {
  /** Whether 0 < key < the order of the curve. */
  isPrivateKey(key: Uint8Array): boolean
  /** The compressed public key (33 bytes). */
  publicKey(key: Uint8Array): Uint8Array
  /** ECDSA with the nonce of RFC 6979 and low s (BIP 62). */
  signEcdsa(digest: Uint8Array, key: Uint8Array): { signature: Uint8Array; recovery: number }
  verifyEcdsa(digest: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean
  /** BIP-340 over 32 bytes, without auxiliary randomness: deterministic. */
  signSchnorr(digest: Uint8Array, key: Uint8Array): Uint8Array
  /** `publicKey` is x-only (32 bytes). */
  verifySchnorr(digest: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean
  /** Writes `key` + `tweak` (the key negated first if asked) into `out`; says whether that is a private key. */
  tweakKey(key: Uint8Array, isNegated: boolean, tweak: Uint8Array, out: Uint8Array): boolean
  /** The x-only public key plus the tweak times the generator, x-only; `undefined` where there is none. */
  tweakPublicKey(publicKey: Uint8Array, tweak: Uint8Array): Uint8Array | undefined
  /** All of the module's memory, for tests. */
  readonly memory: Uint8Array
}

// The module's stack grows down from here, below its data; its functions use less than 16 KiB of it.
const stackTop = 655_360
const stackBytes = 64 << 10

/** A loaded module with views of the memory that its functions read and write. */
type Loaded = {
  readonly wasm: Exports
  readonly memory: Uint8Array
  readonly secret: Uint8Array
  readonly digest: Uint8Array
  readonly tweak: Uint8Array
  readonly compressed: Uint8Array
  readonly xOnly: Uint8Array
  readonly signature: Uint8Array
  readonly stack: Uint8Array
}

/** Loads a module of its own. Throws when the module's memory is not laid out as the wiping takes for granted. */
export function wasmSecp256k1(): WasmSecp256k1 {
  const loaded = loadViews()
  const module = { ...secretFunctions(loaded), ...publicFunctions(loaded), memory: loaded.memory }
  loaded.wasm.initializeContext()
  proveWiping(module)
  return module
}

function loadViews(): Loaded {
  const wasm = loadModule()
  const memory = new Uint8Array(wasm.memory.buffer)
  const view = ({ value: at }: WebAssembly.Global, length: number) => memory.subarray(at, at + length)
  return {
    wasm,
    memory,
    secret: view(wasm.PRIVATE_INPUT, 32),
    digest: view(wasm.HASH_INPUT, 32),
    tweak: view(wasm.TWEAK_INPUT, 32),
    compressed: view(wasm.PUBLIC_KEY_INPUT, 33),
    xOnly: view(wasm.X_ONLY_PUBLIC_KEY_INPUT, 32),
    signature: view(wasm.SIGNATURE_INPUT, 64),
    stack: memory.subarray(stackTop - stackBytes, stackTop),
  }
}

function withSecret<result>({ secret, stack }: Loaded, key: Uint8Array, act: () => result): result {
  try {
    secret.set(key)
    return act()
  } finally {
    secret.fill(0)
    stack.fill(0)
  }
}

type SecretFunctions = 'isPrivateKey' | 'publicKey' | 'signEcdsa' | 'signSchnorr' | 'tweakKey'

function secretFunctions(loaded: Loaded): Pick<WasmSecp256k1, SecretFunctions> {
  const { wasm, secret, digest: digestInput, tweak: tweakInput, compressed, signature } = loaded
  return {
    isPrivateKey: (key) =>
      withSecret(loaded, key, () => {
        tweakInput.fill(0)
        return wasm.privateAdd() === 1
      }),
    publicKey: (key) =>
      withSecret(loaded, key, () => {
        if (wasm.pointFromScalar(compressed.length) !== 1) throw new Error('key without a point')
        return compressed.slice()
      }),
    signEcdsa(digest, key) {
      digestInput.set(digest)
      return withSecret(loaded, key, () => {
        const recovery = wasm.signRecoverable(0)
        return { signature: signature.slice(), recovery }
      })
    },
    signSchnorr(digest, key) {
      digestInput.set(digest)
      return withSecret(loaded, key, () => {
        wasm.signSchnorr(0)
        return signature.slice()
      })
    },
    tweakKey: (key, isNegated, tweak, out) =>
      withSecret(loaded, key, () => {
        tweakInput.set(tweak)
        if (isNegated) wasm.privateNegate()
        const isKey = wasm.privateAdd() === 1
        if (isKey) out.set(secret)
        return isKey
      }),
  }
}

type PublicFunctions = 'verifyEcdsa' | 'verifySchnorr' | 'tweakPublicKey'

function publicFunctions(loaded: Loaded): Pick<WasmSecp256k1, PublicFunctions> {
  const { wasm, compressed, xOnly } = loaded
  return {
    verifyEcdsa(digest, signature, publicKey) {
      loaded.digest.set(digest)
      loaded.signature.set(signature)
      compressed.set(publicKey)
      return wasm.verify(compressed.length, 1) === 1
    },
    verifySchnorr(digest, signature, publicKey) {
      loaded.digest.set(digest)
      loaded.signature.set(signature)
      xOnly.set(publicKey)
      return wasm.verifySchnorr() === 1
    },
    tweakPublicKey(publicKey, tweak) {
      xOnly.set(publicKey)
      loaded.tweak.set(tweak)
      return wasm.xOnlyPointAddTweak() === -1 ? undefined : xOnly.slice()
    },
  }
}

function loadModule(): Exports {
  const entry = require.resolve('tiny-secp256k1')
  const module = new WebAssembly.Module(readFileSync(join(entry, '../../secp256k1.wasm')))
  // Not reached: keys and points are checked before they come here.
  const refuse = (code: number) => {
    throw new Error(`refused by the module: ${code}`)
  }
  // The random number blinds the multiplication by the generator against side channels.
  const generateInt32 = () => crypto.getRandomValues(new Int32Array(1))[0] ?? 0
  const imports = { './rand.js': { generateInt32 }, './validate_error.js': { throwError: refuse } }
  return new WebAssembly.Instance(module, imports).exports as Exports
}

/** Another version of the module could keep its stack elsewhere: a key that is nobody's must leave no trace. */
function proveWiping(loaded: WasmSecp256k1): void {
  const canary = crypto.getRandomValues(new Uint8Array(32))
  const digest = new Uint8Array(32).fill(1)
  const tweaked = new Uint8Array(32)
  canary[0] = 1
  loaded.publicKey(canary)
  loaded.signEcdsa(digest, canary)
  loaded.tweakKey(canary, true, digest, tweaked)
  loaded.signSchnorr(digest, tweaked)
  const memory = Buffer.from(loaded.memory.buffer)
  for (const key of [canary, tweaked]) {
    // Scalars are kept as little-endian words.
    const [half, words] = [Buffer.from(key.subarray(0, 16)), Buffer.from(key.toReversed().subarray(0, 16))]
    if (memory.includes(half) || memory.includes(words)) {
      throw new Error('the WebAssembly module keeps keys')
    }
  }
}
