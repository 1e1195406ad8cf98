import { createECDH, randomBytes } from 'node:crypto'
import { openHpke } from '@symbolon/testing/hpke'
import { expect, test } from 'vitest'
import { HpkeError, sealToP256 } from '../hpke.ts'
import { hpkeRecipient, hpkeSeal, isP256Point } from './hpke-p256.ts'

const info = Buffer.from('test/v1')
const aad = Buffer.from('{"a":1}')
const context = { info, aad }
const key = () => new Uint8Array(randomBytes(32))

test('a sealed text opens by a separate implementation of RFC 9180, for its recipient and in its context alone', () => {
  const [recipient, other] = [createECDH('prime256v1'), createECDH('prime256v1')]
  for (let i = 0; i < 20; i++) {
    const publicKey = recipient.generateKeys()
    other.generateKeys()
    const plaintext = key()
    const sealed = hpkeSeal(publicKey, plaintext, context)
    expect(openHpke(recipient, sealed, context)).toEqual(Buffer.from(plaintext))
    expect(() => openHpke(other, sealed, context)).toThrow()
    expect(() => openHpke(recipient, sealed, { info, aad: info })).toThrow()
    expect(() => openHpke(recipient, sealed, { info: aad, aad })).toThrow()
  }
})

test('it opens what another implementation sealed, and answers zeros for anything else', async () => {
  const recipient = hpkeRecipient()
  const plaintext = key()
  const sealed = await sealToP256(recipient.publicKey, plaintext, context)
  const out = key()
  expect(recipient.open(sealed, context, out)).toBe(true)
  expect(out).toEqual(plaintext)

  const zeros = new Uint8Array(32)
  const flip = (bytes: Uint8Array, at: number) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))
  const bad = [
    [{ ...sealed, ciphertext: flip(sealed.ciphertext, 0) }, context],
    [{ ...sealed, ciphertext: flip(sealed.ciphertext, 47) }, context],
    [{ ...sealed, ciphertext: sealed.ciphertext.subarray(1) }, context],
    [{ ...sealed, ciphertext: new Uint8Array(0) }, context],
    [{ ...sealed, enc: flip(sealed.enc, 40) }, context],
    [{ ...sealed, enc: sealed.enc.subarray(0, 64) }, context],
    [{ ...sealed, enc: createECDH('prime256v1').generateKeys() }, context],
    [sealed, { info, aad: info }],
    [sealed, { info: aad, aad }],
  ] as const
  for (const [changed, within] of bad) {
    const into = key()
    expect(recipient.open(changed, within, into)).toBe(false)
    expect(into).toEqual(zeros)
  }
  expect(hpkeRecipient().open(sealed, context, out)).toBe(false)
})

test('only uncompressed points of the curve are keys', () => {
  const own = createECDH('prime256v1')
  const point = own.generateKeys()
  expect(isP256Point(point)).toBe(true)
  const hybrid = Buffer.from(point)
  hybrid[0] = 6 + ((point[64] ?? 0) & 1)
  const off = Buffer.from(point)
  off[64] = (off[64] ?? 0) ^ 1
  const infinity = new Uint8Array(1)
  const other = createECDH('secp256k1').generateKeys()
  for (const bad of [
    own.getPublicKey(null, 'compressed'),
    hybrid,
    off,
    infinity,
    other,
    Buffer.alloc(65),
    Buffer.concat([point, Buffer.alloc(1)]),
  ]) {
    expect(isP256Point(bad)).toBe(false)
    expect(() => hpkeSeal(bad, key(), context)).toThrow(HpkeError)
  }
})
