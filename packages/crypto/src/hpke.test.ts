import { createECDH, randomBytes } from 'node:crypto'
import { openHpke } from '@symbolon/testing/hpke'
import { expect, test } from 'vitest'
import { HpkeError, newP256Recipient, sealToP256 } from './hpke.ts'

const info = Buffer.from('recovery-share/v1')
const aad = Buffer.from('{"a":1}')

test('a sealed text opens for the holder of the key, by the text of RFC 9180 alone', async () => {
  const recipient = createECDH('prime256v1')
  recipient.generateKeys()
  const plaintext = randomBytes(33)
  const sealed = await sealToP256(recipient.getPublicKey(), plaintext, { info, aad })
  expect(sealed.enc).toHaveLength(65)
  expect(sealed.ciphertext).toHaveLength(33 + 16)
  expect(openHpke(recipient, sealed, { info, aad })).toEqual(plaintext)
  const again = await sealToP256(recipient.getPublicKey(), plaintext, { info, aad })
  expect(again.enc).not.toEqual(sealed.enc)

  const stranger = createECDH('prime256v1')
  stranger.generateKeys()
  expect(() => openHpke(stranger, sealed, { info, aad })).toThrow()
  expect(() => openHpke(recipient, sealed, { info, aad: Buffer.from('{"a":2}') })).toThrow()
  expect(() => openHpke(recipient, sealed, { info: Buffer.from('v2'), aad })).toThrow()
})

test('a key that is not a point of P-256 is refused', async () => {
  const off = Buffer.alloc(65, 1)
  off[0] = 4
  for (const key of [off, Buffer.alloc(65), Buffer.alloc(0), Buffer.alloc(33, 2)])
    await expect(sealToP256(key, randomBytes(33), { info, aad })).rejects.toThrow(HpkeError)
})

test('a text sealed to a fresh recipient opens for it alone, in its context alone, unchanged', async () => {
  const [recipient, other] = [await newP256Recipient(), await newP256Recipient()]
  const plaintext = crypto.getRandomValues(new Uint8Array(32))
  const context = { info: Uint8Array.of(1), aad: Uint8Array.of(2) }
  const sealed = await sealToP256(recipient.publicKey, plaintext, context)
  expect(await recipient.open(sealed, context)).toEqual(plaintext)
  const changed = Uint8Array.from(sealed.ciphertext)
  changed[0] = (changed[0] ?? 0) ^ 1
  const wrong = [
    () => other.open(sealed, context),
    () => recipient.open(sealed, { ...context, info: Uint8Array.of(3) }),
    () => recipient.open(sealed, { ...context, aad: Uint8Array.of(3) }),
    () => recipient.open({ ...sealed, ciphertext: changed }, context),
    () => recipient.open({ ...sealed, enc: other.publicKey }, context),
    () => recipient.open({ ...sealed, enc: new Uint8Array(65) }, context),
  ]
  for (const attempt of wrong) await expect(attempt()).rejects.toThrow(HpkeError)
})
