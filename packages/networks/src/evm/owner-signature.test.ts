import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { hashMessage, recoverMessageAddress, serializeSignature } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { type Hex, toHex0x } from '../codec/hex.ts'
import { testKey, testKeys } from '../testing/oracle-signer.ts'
import { ownerSignature } from './owner-signature.ts'

const hash: Hex = `0x${'ab'.repeat(32)}`
const { privateKey } = testKey('secp256k1', 0)
const account = privateKeyToAccount(toHex0x(privateKey))
const owner = account.address
const good = await account.signMessage({ message: { raw: hash } })
const rawHash = (index: number): Hex => `0x${String(index).repeat(64)}`
const withV = (signature: Hex, v: string): Hex => `0x${signature.slice(2, 130)}${v}`
const parity = good.endsWith('1b') ? 0 : 1

describe('signature of an owner', () => {
  test('a signature made by a wallet comes back unchanged', async () => {
    for (const key of testKeys('secp256k1', 20)) {
      const { address, signMessage } = privateKeyToAccount(toHex0x(key.privateKey))
      const signature = await signMessage({ message: { raw: hash } })
      expect(ownerSignature(signature, hash, address)).toBe(signature)
      expect(ownerSignature(signature, hash, address.toLowerCase() as Hex)).toBe(signature)
    }
  })

  test('v of 0 and 1 becomes 27 and 28, every other v is refused', async () => {
    const signatures = await Promise.all(
      Array.from({ length: 8 }, (_, index) => account.signMessage({ message: { raw: rawHash(index) } })),
    )
    expect(new Set(signatures.map((signature) => signature.slice(-2)))).toEqual(new Set(['1b', '1c']))
    for (const [index, signature] of signatures.entries()) {
      const own = signature.endsWith('1b') ? 0 : 1
      for (let v = 0; v < 256; v++) {
        const given = withV(signature, v.toString(16).padStart(2, '0'))
        const expected = v === own || v === 27 + own ? signature : undefined
        expect(ownerSignature(given, rawHash(index), owner)).toBe(expected)
      }
    }
  })

  test('the twin with high s, which recovers to the same owner, is refused', async () => {
    const s = secp256k1.Point.Fn.ORDER - BigInt(`0x${good.slice(66, 130)}`)
    const twin = `${good.slice(0, 66)}${s.toString(16).padStart(64, '0')}${parity === 0 ? '1c' : '1b'}` as Hex
    expect(await recoverMessageAddress({ message: { raw: hash }, signature: twin })).toBe(owner)
    expect(ownerSignature(twin, hash, owner)).toBeUndefined()
  })

  test("another key's, another hash's and one over the bare hash are refused", async () => {
    const other = privateKeyToAccount(toHex0x(testKey('secp256k1', 1).privateKey))
    const foreign = await other.signMessage({ message: { raw: hash } })
    expect(ownerSignature(foreign, hash, owner)).toBeUndefined()
    expect(ownerSignature(good, hashMessage('x'), owner)).toBeUndefined()
    const bare = serializeSignature(await sign({ hash, privateKey: toHex0x(privateKey) }))
    expect(ownerSignature(bare, hash, owner)).toBeUndefined()
    const text = await account.signMessage({ message: hash })
    expect(ownerSignature(text, hash, owner)).toBeUndefined()
  })

  test('other lengths, the type byte in front, r or s of 0 or n and malformed hex are refused', () => {
    const zero = '0'.repeat(64)
    const n = secp256k1.Point.Fn.ORDER.toString(16)
    for (const signature of [
      '0x',
      good.slice(0, 130),
      `${good}00`,
      `0x00${good.slice(2)}`,
      good.slice(2),
      `0x${zero}${good.slice(66)}`,
      `0x${good.slice(2, 66)}${zero}1b`,
      `0x${n}${good.slice(66)}`,
      `0x${good.slice(2, 66)}${n}1b`,
      `0x${'f'.repeat(130)}`,
      `0x${'g'.repeat(130)}`,
    ]) {
      expect(ownerSignature(signature as Hex, hash, owner)).toBeUndefined()
    }
    expect(ownerSignature(good, '0x12', owner)).toBeUndefined()
    expect(ownerSignature(good, hash, '0x12')).toBeUndefined()
  })

  test('upper-case hex is answered in lower case', () => {
    expect(ownerSignature(`0x${good.slice(2).toUpperCase()}`, hash, owner)).toBe(good)
  })

  test('no flipped bit and no random bytes pass or throw', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 511 }), (bit) => {
        const bytes = Buffer.from(good.slice(2), 'hex')
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(ownerSignature(toHex0x(bytes), hash, owner)).toBeUndefined()
      }),
      { numRuns: 60 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 60, maxLength: 70 }), (bytes) => {
        expect(ownerSignature(toHex0x(bytes), hash, owner)).toBeUndefined()
      }),
    )
  })
})
