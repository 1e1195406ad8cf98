import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { aeadOpen, aeadSeal } from './aead.ts'

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))

test('the ChaCha20-Poly1305 vector of RFC 8439 section 2.8.2 opens, and not with a changed byte', () => {
  const plaintext = Buffer.from(
    "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.",
  )
  const key = bytes('808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f')
  const aad = bytes('50515253c0c1c2c3c4c5c6c7')
  const sealed = bytes(
    '070000004041424344454647d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691',
  )
  const out = new Uint8Array(plaintext.length)
  expect(Buffer.from(aeadOpen('chacha20-poly1305', key, sealed, aad, out))).toEqual(plaintext)
  for (let at = 0; at < sealed.length; at++) {
    const altered = sealed.with(at, (sealed[at] ?? 0) ^ 1)
    expect(() => aeadOpen('chacha20-poly1305', key, altered, aad, out)).toThrow('altered')
    expect(out.every((byte) => byte === 0)).toBe(true)
  }
  expect(() => aeadOpen('chacha20-poly1305', key, sealed, aad.subarray(1), out)).toThrow('altered')
})

test('a sealed text opens with its own cipher alone, whatever its length', () => {
  const key = randomBytes(32)
  const aad = randomBytes(20)
  for (const length of [1, 33, 63, 64, 65, 1000]) {
    const plaintext = Uint8Array.from(randomBytes(length))
    const out = new Uint8Array(length)
    const sealed = aeadSeal('chacha20-poly1305', key, plaintext, aad)
    expect(aeadOpen('chacha20-poly1305', key, sealed, aad, out)).toEqual(plaintext)
    expect(() => aeadOpen('aes-256-gcm', key, sealed, aad, out)).toThrow('altered')
  }
})
