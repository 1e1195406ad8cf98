import { PublicKey } from '@near-js/crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import { base58, base64 } from '@scure/base'
import { describe, expect, test } from 'vitest'
import { toHex, toHex0x } from '../codec/hex.ts'
import { messageBytes } from '../intent/message-bytes.ts'
import { completeIntent, walletAddresses } from '../testing/by-intent.ts'
import { signIntent, testKey, testKeys } from '../testing/oracle-signer.ts'
import { sampleText } from '../testing/sample-messages.ts'
import { vectorJson } from '../testing/vectors.ts'

type Fields = { message: string; nonce: Uint8Array; recipient: string; callbackUrl?: string }

/** NEP-413 written a second time, with Node's buffers, from the text of the standard. */
function payloadOf({ message, nonce, recipient, callbackUrl }: Fields): Buffer {
  const text = (value: string) => {
    const bytes = Buffer.from(value)
    const length = Buffer.alloc(4)
    length.writeUInt32LE(bytes.length)
    return Buffer.concat([length, bytes])
  }
  const tag = Buffer.alloc(4)
  tag.writeUInt32LE(2_147_484_061)
  const option = callbackUrl === undefined ? Buffer.of(0) : Buffer.concat([Buffer.of(1), text(callbackUrl)])
  return Buffer.concat([tag, text(message), nonce, text(recipient), option])
}

describe('near', () => {
  test('an implicit account is the hex of the key as near-js holds it', () => {
    for (const { publicKey } of testKeys('ed25519', 120)) {
      const official = PublicKey.fromString(`ed25519:${base58.encode(publicKey)}`)
      expect(walletAddresses('ed25519', publicKey)['near']).toBe(Buffer.from(official.data).toString('hex'))
    }
  })

  test('a signed message passes near-js over the NEP-413 payload', () => {
    for (const [index, key] of testKeys('ed25519', 100).entries()) {
      const message = sampleText(index)
      const nonce = testKey('ed25519', index + 500).publicKey
      const fields: Fields = { message, nonce, recipient: index % 2 ? 'alice.near' : 'example.test' }
      if (index % 3 === 0) fields.callbackUrl = 'https://example.test/return'
      const answer = signIntent(
        {
          kind: 'message',
          network: 'near',
          chain: 'near',
          ...fields,
          message: messageBytes(message, 'utf8'),
        },
        key,
      )
      const payload = payloadOf(fields)
      expect(answer.signed_payload).toBe(`0x${payload.toString('hex')}`)
      expect(answer).toMatchObject({ nonce: base64.encode(nonce), recipient: fields.recipient })
      expect(answer.callback_url).toBe(fields.callbackUrl)
      const official = PublicKey.fromString(`ed25519:${base58.encode(key.publicKey)}`)
      expect(official.verify(sha256(payload), messageBytes(answer.signature, 'hex'))).toBe(true)
    }
  })

  test('a message without nonce and recipient is completed with fresh ones', () => {
    const key = testKey('ed25519', 3)
    const bare = {
      kind: 'message',
      network: 'near',
      chain: 'near',
      message: messageBytes('hi', 'utf8'),
    } as const
    const intent = completeIntent(bare, key.publicKey, (length) => new Uint8Array(length).fill(5))
    const answer = signIntent(intent, key)
    expect(answer.nonce).toBe(base64.encode(new Uint8Array(32).fill(5)))
    expect(answer.recipient).toBe(toHex(key.publicKey))
    expect(() => signIntent(bare, key)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })

  test('a nonce or recipient that was given stays', () => {
    const given = {
      kind: 'message',
      network: 'near',
      chain: 'near',
      message: messageBytes('hi', 'utf8'),
      nonce: new Uint8Array(32).fill(1),
      recipient: 'bob.near',
    } as const
    expect(completeIntent(given, testKey('ed25519', 3).publicKey, () => new Uint8Array(32))).toEqual(given)
  })

  test('the key of the vectors verifies', () => {
    type Vectors = { ed25519: { public: string; signature_b58: string } }
    const vectors = vectorJson<Vectors>('chains/near_transactions.json')
    if (!vectors) return
    const publicKey = base58.decode(vectors.ed25519.public.slice('ed25519:'.length))
    expect(toHex0x(publicKey)).toBe(`0x${walletAddresses('ed25519', publicKey)['near']}`)
  })
})
