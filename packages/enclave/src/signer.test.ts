import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ed25519 } from '@noble/curves/ed25519.js'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { p2tr } from '@scure/btc-signer'
import { describe, expect, test } from 'vitest'
import { secureSlots } from './secure-slots.ts'
import type { Signer } from './signer.ts'
import { signerEd25519 } from './signer-ed25519.ts'
import { signerSecp256k1, wasmSigner } from './signer-secp256k1.ts'
import { signerTaproot } from './signer-taproot.ts'
import { wasmSecp256k1 } from './wasm-secp256k1.ts'

const slots = secureSlots(4)
const [key, work] = [slots.take(), slots.take()]
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const order = secp256k1.Point.CURVE().n
const bytesOf = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')

const wasm = wasmSecp256k1()
const secpSigners: [string, Signer][] = [
  ['this platform', signerSecp256k1(wasm).signer],
  ['WebAssembly', wasmSigner(wasm)],
]

describe.each(secpSigners)('secp256k1 of %s', (_name, signer) => {
  test('public keys, RFC 6979 signatures and recovery ids equal those of an independent library', () => {
    for (let round = 0; round < 40; round++) {
      key.key.set(random(32))
      const digest = random(32)
      const publicKey = signer.publicKey(key.key, work.full)
      expect(Buffer.from(publicKey)).toEqual(Buffer.from(secp256k1.getPublicKey(key.key)))
      const { signature, recovery } = signer.sign(digest, key.key, work.full)
      const theirs = secp256k1.sign(digest, key.key, { prehash: false, lowS: true, format: 'recovered' })
      expect([recovery, ...signature]).toEqual([...theirs])
      expect(signer.verify(digest, signature, publicKey)).toBe(true)
      expect(signer.verify(random(32), signature, publicKey)).toBe(false)
    }
  })

  test('zero and numbers from the order up are not private keys', () => {
    expect(signer.isPrivateKey(new Uint8Array(32))).toBe(false)
    expect(signer.isPrivateKey(bytesOf(order))).toBe(false)
    expect(signer.isPrivateKey(bytesOf(order - 1n))).toBe(true)
    expect(signer.isPrivateKey(bytesOf(1n))).toBe(true)
  })
})

test('a taproot signature is that of an independent library for the output key of BIP-86', () => {
  const taproot = signerTaproot(wasm)
  const tweaked = slots.take()
  const zeros = new Uint8Array(32)
  let odd = 0
  for (let round = 0; round < 40; round++) {
    key.key.set(random(32))
    const digest = random(32)
    const publicKey = secp256k1.getPublicKey(key.key)
    odd += publicKey[0] === 3 ? 1 : 0
    const outputKey = taproot.outputKey(publicKey)
    expect(Buffer.from(outputKey)).toEqual(Buffer.from(p2tr(publicKey.slice(1)).tweakedPubkey))
    taproot.tweak(key.key, publicKey, tweaked.key)
    const { signature, recovery } = taproot.sign(digest, tweaked.key)
    expect(Buffer.from(signature)).toEqual(Buffer.from(schnorr.sign(digest, tweaked.key.slice(), zeros)))
    expect(schnorr.verify(signature, digest, outputKey)).toBe(true)
    expect(recovery).toBe(0)
    expect(taproot.verify(digest, signature, outputKey)).toBe(true)
    expect(taproot.verify(random(32), signature, outputKey)).toBe(false)
    expect(taproot.verify(digest, signature, publicKey.subarray(1))).toBe(false)
  }
  expect(odd).toBeGreaterThan(0)
  expect(odd).toBeLessThan(40)
  slots.give(tweaked)
})

test('the WebAssembly module keeps no part of a key that signed', () => {
  const tweaked = slots.take()
  key.key.set(random(32))
  const publicKey = wasm.publicKey(key.key)
  const taproot = signerTaproot(wasm)
  taproot.tweak(key.key, publicKey, tweaked.key)
  taproot.sign(random(32), tweaked.key)
  wasm.signEcdsa(random(32), key.key)
  expect(wasm.isPrivateKey(key.key)).toBe(true)
  const memory = Buffer.from(wasm.memory.buffer)
  for (const secret of [key.key, tweaked.key]) {
    for (const bytes of [secret, secret.toReversed()]) {
      for (const at of [0, 8, 16, 24])
        expect(memory.includes(Buffer.from(bytes.subarray(at, at + 8)))).toBe(false)
    }
  }
  expect(memory.includes(Buffer.from(publicKey.subarray(1, 9)))).toBe(true)
  slots.give(tweaked)
})

test('ed25519 keys and signatures of any message length equal those of an independent library', () => {
  for (const length of [0, 1, 31, 32, 64, 1000]) {
    key.key.set(random(32))
    const message = random(length)
    const publicKey = signerEd25519.publicKey(key.key, work.full)
    expect(Buffer.from(publicKey)).toEqual(Buffer.from(ed25519.getPublicKey(key.key)))
    const { signature } = signerEd25519.sign(message, key.key, work.full)
    expect(Buffer.from(signature)).toEqual(Buffer.from(ed25519.sign(message, Uint8Array.from(key.key))))
    expect(signerEd25519.verify(message, signature, publicKey)).toBe(true)
    expect(signerEd25519.verify(random(length + 1), signature, publicKey)).toBe(false)
  }
})

test('the pure JavaScript fallback of secp256k1 is never loaded by the enclave', () => {
  const pathOf = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)))
  const index = fileURLToPath(new URL('./index.ts', import.meta.url))
  const code = `
    await import(${JSON.stringify(index)})
    const { signerSecp256k1 } = await import(${pathOf('./signer-secp256k1.ts')})
    const { wasmSecp256k1 } = await import(${pathOf('./wasm-secp256k1.ts')})
    const { library } = signerSecp256k1(wasmSecp256k1())
    const { createRequire } = await import('node:module')
    process.stdout.write(JSON.stringify({ library, loaded: Object.keys(createRequire(${JSON.stringify(index)}).cache) }))`
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', code])
  const { library, loaded } = JSON.parse(run.stdout.toString()) as { library: string; loaded: string[] }
  expect(['libsecp256k1', 'tiny-secp256k1']).toContain(library)
  expect(loaded.length).toBeGreaterThan(0)
  expect(loaded.filter((path) => /elliptic|bn\.js/.test(path))).toEqual([])
})
