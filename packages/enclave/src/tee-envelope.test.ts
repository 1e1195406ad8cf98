import { randomBytes } from 'node:crypto'
import { keyRing, openEnvelope, parseEnvelope, rowContext, sealEnvelope } from '@symbolon/crypto/node'
import { expect, test } from 'vitest'
import { sodium } from './native.ts'
import { openShare, sealShare, shareLayout, type TeePurpose } from './tee-envelope.ts'

const row = Uint8Array.from(randomBytes(36))
const share = Uint8Array.from(randomBytes(33))
const coded = (code: string) => expect.objectContaining({ name: 'EnvelopeError', code })

function made(purpose: TeePurpose) {
  const ring = keyRing({ purpose, keyId: 'k', keys: [randomBytes(32)] })
  const { dataKey, wrappedKey } = ring.generateDataKey(rowContext(row, purpose))
  return { dataKey, wrappedKey: { ...wrappedKey, purpose } }
}

const open = (envelope: Uint8Array, purpose: TeePurpose, dataKey: Uint8Array, ofRow = row) => {
  const out = new Uint8Array(33).fill(9)
  try {
    openShare(envelope, shareLayout(envelope, purpose), dataKey, ofRow, out)
  } catch (error) {
    expect(out.every((byte) => byte === 0) || out.every((byte) => byte === 9)).toBe(true)
    throw error
  }
  return out
}

test.each<TeePurpose>(['tee-a', 'tee-b'])(
  'envelopes of %s by libsodium and by node:crypto are the same',
  (purpose) => {
    const { dataKey, wrappedKey } = made(purpose)
    const context = rowContext(row, purpose)
    const ours = sealShare(share, dataKey, wrappedKey, row)
    expect(openEnvelope(ours, dataKey, context)).toEqual(share)
    expect(parseEnvelope(ours).wrappedKey).toEqual(wrappedKey)
    const theirs = sealEnvelope(share, dataKey, wrappedKey, context)
    expect(open(theirs, purpose, dataKey)).toEqual(share)
    expect(theirs.length).toBe(ours.length)
  },
)

test('a share opens for its row, purpose and data key alone, and with no bit changed', () => {
  const { dataKey, wrappedKey } = made('tee-a')
  const envelope = sealShare(share, dataKey, wrappedKey, row)
  expect(open(envelope, 'tee-a', dataKey)).toEqual(share)
  for (let at = 0; at < row.length; at++) {
    expect(() => open(envelope, 'tee-a', dataKey, row.with(at, (row[at] ?? 0) ^ 1))).toThrow(
      coded('unauthenticated'),
    )
  }
  expect(() => open(envelope, 'tee-a', randomBytes(32))).toThrow(coded('unauthenticated'))
  expect(() => open(envelope, 'tee-b', dataKey)).toThrow(coded('invalid_context'))
  const moved = envelope.with(2, 4)
  expect(() => open(moved, 'tee-b', dataKey)).toThrow(coded('unauthenticated'))
  const { sealedStart } = shareLayout(envelope, 'tee-a')
  for (let bit = sealedStart * 8; bit < envelope.length * 8; bit++) {
    const altered = envelope.with(bit >> 3, (envelope[bit >> 3] ?? 0) ^ (1 << (bit & 7)))
    expect(() => open(altered, 'tee-a', dataKey)).toThrow(coded('unauthenticated'))
  }
})

test('an envelope of another algorithm or of other than 33 bytes is refused', () => {
  const { dataKey, wrappedKey } = made('tee-a')
  const envelope = sealShare(share, dataKey, wrappedKey, row)
  for (const algorithm of [0, 1, 3]) {
    expect(() => open(envelope.with(1, algorithm), 'tee-a', dataKey)).toThrow(coded('malformed'))
  }
  for (const length of [1, 32, 34]) {
    const other = sealShare(new Uint8Array(length), dataKey, wrappedKey, row)
    expect(() => open(other, 'tee-a', dataKey)).toThrow(coded('invalid_length'))
  }
})

test('no two envelopes share an iv', () => {
  const { dataKey, wrappedKey } = made('tee-a')
  const seals = Array.from({ length: 500 }, () => sealShare(share, dataKey, wrappedKey, row))
  expect(new Set(seals.map((sealed) => Buffer.from(parseEnvelope(sealed).iv).toString('hex'))).size).toBe(500)
})

test('libsodium opens the vector of RFC 8439 section 2.8.2', () => {
  const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
  const ciphertext = bytes(
    'd31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b6116',
  )
  const out = new Uint8Array(ciphertext.length)
  sodium.crypto_aead_chacha20poly1305_ietf_decrypt_detached(
    out,
    null,
    ciphertext,
    bytes('1ae10b594f09e26a7e902ecbd0600691'),
    bytes('50515253c0c1c2c3c4c5c6c7'),
    bytes('070000004041424344454647'),
    bytes('808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f'),
  )
  expect(Buffer.from(out).toString()).toContain('sunscreen would be it.')
})
