import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { describe, expect, test } from 'vitest'
import { secureSlots } from './secure-slots.ts'
import type { Signer } from './signer.ts'
import { signerEd25519 } from './signer-ed25519.ts'
import { signerSecp256k1, wasmSigner } from './signer-secp256k1.ts'

const slots = secureSlots(2)
const [key, work] = [slots.take(), slots.take()]
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const order = secp256k1.Point.CURVE().n
const bytesOf = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')

const secpSigners: [string, Signer][] = [
  ['this platform', signerSecp256k1().signer],
  ['WebAssembly', wasmSigner(createRequire(import.meta.url)('tiny-secp256k1'))],
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

  test('zero and numbers from the order up are no private keys', () => {
    expect(signer.isPrivateKey(new Uint8Array(32))).toBe(false)
    expect(signer.isPrivateKey(bytesOf(order))).toBe(false)
    expect(signer.isPrivateKey(bytesOf(order - 1n))).toBe(true)
    expect(signer.isPrivateKey(bytesOf(1n))).toBe(true)
  })
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
  const index = fileURLToPath(new URL('./index.ts', import.meta.url))
  const code = `
    await import(${JSON.stringify(index)})
    const { signerSecp256k1 } = await import(${JSON.stringify(fileURLToPath(new URL('./signer-secp256k1.ts', import.meta.url)))})
    const { library } = signerSecp256k1()
    const { createRequire } = await import('node:module')
    process.stdout.write(JSON.stringify({ library, loaded: Object.keys(createRequire(${JSON.stringify(index)}).cache) }))`
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', code])
  const { library, loaded } = JSON.parse(run.stdout.toString()) as { library: string; loaded: string[] }
  expect(['libsecp256k1', 'tiny-secp256k1']).toContain(library)
  expect(loaded.length).toBeGreaterThan(0)
  expect(loaded.filter((path) => /elliptic|bn\.js/.test(path))).toEqual([])
})
