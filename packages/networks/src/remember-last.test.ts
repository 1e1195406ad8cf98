import fc from 'fast-check'
import { serializeTransaction } from 'viem'
import { expect, test } from 'vitest'
import { messageBytes } from './intent/message-bytes.ts'
import { rememberLast } from './remember-last.ts'
import { signingDigest } from './signing-digest.ts'
import { testKey } from './testing/oracle-signer.ts'
import { randomTransaction } from './testing/random-transaction.fuzz.ts'

test('the same inputs are computed once, others anew', () => {
  let runs = 0
  const scope = {}
  const last = rememberLast((bytes: Uint8Array, other: object) => [++runs, bytes.join(), other])
  expect(last(Uint8Array.of(1, 2), scope)).toEqual([1, '1,2', scope])
  expect(last(Uint8Array.of(1, 2), scope)).toEqual([1, '1,2', scope])
  expect(last(Uint8Array.of(1, 3), scope)).toEqual([2, '1,3', scope])
  expect(last(Uint8Array.of(1, 3), {})[0]).toBe(3)
  expect(last(Uint8Array.of(1, 2), scope)[0]).toBe(4)
})

// A frame's bytes are a Buffer over memory that the next frame is written to.
test.each([
  ['an array', Uint8Array.of(7)],
  ['a Buffer', Buffer.from([7])],
])(
  'bytes of %s that change afterwards are others, and what was made of them before stays',
  (_name, given) => {
    const last = rememberLast((bytes: Uint8Array) => ({ first: bytes[0], view: bytes.subarray(0, 1) }))
    const before = last(given)
    given[0] = 8
    expect([...before.view]).toEqual([7])
    expect(last(given)).toMatchObject({ first: 8 })
    expect(last(Uint8Array.of(7)).first).toBe(7)
  },
)

test('an error is not remembered', () => {
  let isBroken = true
  const last = rememberLast((bytes: Uint8Array) => {
    if (isBroken) throw new Error('broken')
    return bytes.length
  })
  expect(() => last(Uint8Array.of(1))).toThrow('broken')
  isBroken = false
  expect(last(Uint8Array.of(1))).toBe(1)
})

test('a transaction that is changed in place has another digest, or is refused', () => {
  const { publicKey } = testKey('secp256k1', 1)
  const [transaction] = fc.sample(randomTransaction(8453), { numRuns: 1, seed: 4 })
  if (!transaction) throw new Error('there is a sample')
  const bytes = messageBytes(serializeTransaction(transaction), 'hex')
  const digest = () =>
    signingDigest({ kind: 'transaction', network: 'evm', chain: 'base', bytes }, 'secp256k1', publicKey)
  const before = digest()
  expect(digest()).toEqual(before)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  const after = (() => {
    try {
      return digest()
    } catch (error) {
      return error
    }
  })()
  expect(after).not.toEqual(before)
})
