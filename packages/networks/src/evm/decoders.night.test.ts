import fc from 'fast-check'
import { serializeTransaction } from 'viem'
import { expect, test } from 'vitest'
import { toHex0x } from '../codec/hex.ts'
import { decodeRlp, encodeRlp } from '../codec/rlp.ts'
import { intentKinds } from '../intent/intent-format.ts'
import { messageBytes } from '../intent/message-bytes.ts'
import { NetworkError } from '../network-error.ts'
import {
  assertNoTransaction,
  chainByHandle,
  decodeIntent,
  encodeIntent,
  preview,
} from '../testing/by-intent.ts'
import { testKey } from '../testing/oracle-signer.ts'
import {
  randomBlobTransaction,
  randomDelegation,
  randomTransaction,
} from '../testing/random-transaction.fuzz.ts'
import { randomTypedData } from '../testing/random-typed-data.fuzz.ts'
import { encodeCalls } from './account-calls.ts'
import { decodeRevert } from './decode-revert.ts'
import { previewCalls } from './preview-calls.ts'
import { decodeEvmTransaction } from './raw-transaction.ts'
import { decodeSignedTransaction } from './signed-transaction.ts'
import { hashTypedData } from './typed-data.ts'

const numRuns = 100_000
const base = chainByHandle('base')
if (!base) throw new Error('base is a chain')
const { publicKey } = testKey('secp256k1', 0)
const noise = fc.uint8Array({ maxLength: 400 })
const transaction = fc
  .oneof(randomTransaction(8453), randomBlobTransaction(8453), randomDelegation(8453))
  .map((value) => messageBytes(serializeTransaction(value), 'hex'))
const mutated = fc.tuple(transaction, fc.nat(), fc.nat(255)).map(([bytes, at, byte]) => {
  const copy = Uint8Array.from(bytes)
  copy[at % copy.length] = byte
  return copy
})

/** Runs a decoder; anything but its typed error is a failure. */
function allowingErrors(decode: () => void): void {
  try {
    decode()
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
  }
}

test('RLP of random and mutated bytes is refused or encodes back', () => {
  fc.assert(
    fc.property(fc.oneof(noise, mutated), (bytes) => {
      allowingErrors(() => expect(toHex0x(encodeRlp(decodeRlp(bytes)))).toBe(toHex0x(bytes)))
    }),
    { numRuns },
  )
})

test('random and mutated transactions are refused or have a preview', () => {
  fc.assert(
    fc.property(fc.oneof(noise, mutated), (bytes) => {
      allowingErrors(() => {
        decodeEvmTransaction(bytes, base)
        preview({ kind: 'transaction', network: 'evm', chain: 'base', bytes }, 'secp256k1', publicKey, '0x')
      })
    }),
    { numRuns },
  )
})

test('signed transactions of random and mutated bytes are refused or decode', () => {
  fc.assert(
    fc.property(fc.oneof(noise, mutated), (bytes) => {
      allowingErrors(() => decodeSignedTransaction(Uint8Array.of(2, ...bytes)))
    }),
    { numRuns },
  )
})

test('reverts and batches of an account to itself have a text and a preview, whatever their bytes', () => {
  const to = '0x1eCBebd01B398F87d75aB93D853E340192D402Ac'
  const batch = messageBytes(
    encodeCalls([
      { to, value: 1n, data: '0x12345678' },
      { to, value: 2n, data: '0x' },
    ]),
    'hex',
  )
  const bent = fc
    .tuple(fc.nat(), fc.nat(255))
    .map(([at, byte]) => batch.with(4 + (at % (batch.length - 4)), byte))
  fc.assert(
    fc.property(fc.oneof(noise, bent), (bytes) => {
      const data = toHex0x(bytes)
      const scope = { chain: base, from: to, fee: 1n, expiresAt: '' } as const
      expect(previewCalls([{ to, value: 0n, data }], scope).actions.length).toBeGreaterThan(0)
      expect(typeof decodeRevert(data)).toBe('string')
    }),
    { numRuns },
  )
})

test('random intents are refused or encode back', () => {
  fc.assert(
    fc.property(noise, (bytes) => {
      const head = Uint8Array.of(1, (bytes[0] ?? 0) % intentKinds.length, 4, 0x62, 0x61, 0x73, 0x65, ...bytes)
      allowingErrors(() => expect(encodeIntent(decodeIntent(head))).toEqual(head))
    }),
    { numRuns },
  )
})

test('random raw messages pass or are refused', () => {
  fc.assert(
    fc.property(noise, (bytes) => allowingErrors(() => assertNoTransaction(bytes))),
    { numRuns },
  )
})

test('mangled typed data is refused or hashed', () => {
  const mangled = fc
    .tuple(randomTypedData, fc.nat(), fc.string({ maxLength: 3 }))
    .map(([typed, at, piece]) => {
      const text = JSON.stringify(typed)
      const cut = at % text.length
      return text.slice(0, cut) + piece + text.slice(cut + 1)
    })
  fc.assert(
    fc.property(mangled, (text) => allowingErrors(() => hashTypedData(text))),
    { numRuns: 20_000 },
  )
})
