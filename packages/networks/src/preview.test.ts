import { describe, expect, test } from 'vitest'
import type { SignIntent } from './intent/intent.ts'
import { messageBytes } from './intent/message-bytes.ts'
import { preview } from './testing/by-intent.ts'
import { testKey } from './testing/oracle-signer.ts'

const { publicKey } = testKey('secp256k1', 0)
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const previewIntent = (intent: SignIntent) => preview(intent, 'secp256k1', publicKey)

describe('preview of messages', () => {
  const message = (bytes: Uint8Array) =>
    ({ kind: 'message', network: 'evm', chain: 'base', message: bytes }) as const
  const titleOf = (text: string) => previewIntent(message(messageBytes(text, 'utf8'))).title

  test('a message is quoted in the title, long ones cut between characters', () => {
    expect(titleOf('hello\nworld')).toBe('Sign message “hello world”')
    expect(titleOf('é'.repeat(60))).toBe(`Sign message “${'é'.repeat(48)}…”`)
    expect(titleOf(`a${'é'.repeat(60)}`)).toBe(`Sign message “a${'é'.repeat(47)}…”`)
  })

  test('bytes and texts with hidden characters are shown in hex', () => {
    expect(previewIntent(message(Uint8Array.of(0xff, 0))).title).toBe('Sign message 0xff00')
    expect(titleOf('a\u202eb')).toBe('Sign message 0x61e280ae62')
    expect(titleOf('a\u0007')).toBe('Sign message 0x6107')
  })

  test('a message that could be a hash is warned of, as bytes and as hex digits', () => {
    const digits = 'ab'.repeat(32)
    for (const bytes of [
      messageBytes(`0x${digits}`, 'hex'),
      messageBytes(`0x${digits}`, 'utf8'),
      messageBytes(digits, 'utf8'),
    ]) {
      expect(previewIntent(message(bytes)).warnings).toHaveLength(1)
    }
    expect(previewIntent(message(messageBytes('z'.repeat(64), 'utf8'))).warnings).toEqual([])
  })

  test('a hash, an operation and an authorization carry their warnings', () => {
    const hash = new Uint8Array(32).fill(1)
    expect(previewIntent({ kind: 'hash', chain: 'base', hash })).toMatchObject({
      actions: [{ kind: 'unknown' }],
      warnings: [expect.stringMatching(/anything/)],
    })
    expect(previewIntent({ kind: 'user_operation', chain: 'base', hash }).warnings).toHaveLength(1)
    const contract = messageBytes(friend, 'hex')
    expect(
      previewIntent({ kind: 'authorization', chain: 'base', chainId: 8453n, contract, nonce: 4n }),
    ).toMatchObject({
      actions: [{ kind: 'admin', to: friend, args: { contract: friend, nonce: '4' } }],
      warnings: [expect.stringMatching(/Account takeover/)],
    })
  })
})
