import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NetworkError } from '../network-error.ts'
import { chainByHandle, chains, decodeIntent, encodeIntent } from '../testing/by-intent.ts'
import type { SignIntent } from './intent.ts'

const handle = fc.constantFrom(...chains.map((chain) => chain.handle))
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const text = fc.string({ unit: 'grapheme' })
const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const ofChain = <rest extends { chain: string }>(intent: rest) => ({
  ...intent,
  network: chainByHandle(intent.chain)?.network ?? 'evm',
})

const message = fc
  .record(
    {
      kind: fc.constant('message' as const),
      chain: handle,
      message: fc.uint8Array({ maxLength: 300 }),
      scheme: fc.constant('raw' as const),
      applicationDomain: bytes(32),
      nonce: fc.oneof(text, bytes(32)),
      recipient: text,
      callbackUrl: text,
      smartAccount: fc.constant(true as const),
    },
    { requiredKeys: ['kind', 'chain', 'message'] },
  )
  .map(ofChain)
const intent: fc.Arbitrary<SignIntent> = fc.oneof(
  message,
  fc.record(
    {
      kind: fc.constant('typed_data' as const),
      chain: handle,
      typedData: text,
      smartAccount: fc.constant(true as const),
    },
    { requiredKeys: ['kind', 'chain', 'typedData'] },
  ),
  fc
    .record({
      kind: fc.constant('transaction' as const),
      chain: handle,
      bytes: fc.uint8Array({ maxLength: 600 }),
    })
    .map(ofChain),
  fc.record({
    kind: fc.constant('transaction' as const),
    network: fc.constant('cosmos' as const),
    chain: fc.constantFrom('cosmoshub', 'osmosis'),
    bytes: fc.uint8Array({ maxLength: 600 }),
    signMode: fc.constant('amino_json' as const),
  }),
  fc.record({
    kind: fc.constantFrom('hash' as const, 'user_operation' as const),
    chain: handle,
    hash: bytes(32),
  }),
  fc.record({
    kind: fc.constant('authorization' as const),
    chain: handle,
    chainId: amount,
    contract: bytes(20),
    nonce: amount,
  }),
)

describe('intent codec', () => {
  test('decoding gives back what was encoded', () => {
    fc.assert(
      fc.property(intent, (value) => {
        expect(decodeIntent(encodeIntent(value))).toEqual(value)
      }),
      { numRuns: 1000 },
    )
  })

  test('random and mutated bytes are refused with NetworkError, or are the one encoding of what they decode to', () => {
    const mutated = fc.tuple(intent, fc.nat(), fc.nat(255)).map(([value, at, byte]) => {
      const encoded = Uint8Array.from(encodeIntent(value))
      encoded[at % encoded.length] = byte
      return encoded
    })
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 80 }), mutated), (encoded) => {
        let decoded: SignIntent
        try {
          decoded = decodeIntent(encoded)
        } catch (error) {
          expect(error).toBeInstanceOf(NetworkError)
          return
        }
        expect(encodeIntent(decoded)).toEqual(encoded)
      }),
      { numRuns: 3000 },
    )
  })

  test('every cut and every longer form is refused', () => {
    for (const value of fc.sample(intent, 30)) {
      const encoded = encodeIntent(value)
      for (let length = 0; length < encoded.length; length++) {
        expect(() => decodeIntent(encoded.subarray(0, length))).toThrow(NetworkError)
      }
      expect(() => decodeIntent(Uint8Array.of(...encoded, 0))).toThrow(NetworkError)
    }
  })

  test('unknown flags, two nonces and numbers with leading zeros or above 32 bytes are refused', () => {
    const hello = encodeIntent({ kind: 'message', network: 'evm', chain: 'base', message: Uint8Array.of(1) })
    const flagsAt = 7
    expect(hello[flagsAt]).toBe(0)
    expect(() => decodeIntent(hello.with(flagsAt, 128))).toThrow(NetworkError)
    const nonces = Uint8Array.of(...hello.with(flagsAt, 12), 0, 0, 0, 0, ...new Uint8Array(32))
    expect(() => decodeIntent(nonces)).toThrow(NetworkError)
    const head = Uint8Array.of(1, 5, 4, 0x62, 0x61, 0x73, 0x65)
    const rest = new Uint8Array(21)
    expect(decodeIntent(Uint8Array.of(...head, 1, 9, ...rest))).toMatchObject({ chainId: 9n, nonce: 0n })
    expect(() => decodeIntent(Uint8Array.of(...head, 2, 0, 9, ...rest))).toThrow(NetworkError)
    expect(() => decodeIntent(Uint8Array.of(...head, 33, ...new Uint8Array(33).fill(1), ...rest))).toThrow(
      NetworkError,
    )
  })

  test('a sign mode is that of a Cosmos chain', () => {
    const bytes = Uint8Array.of(1, 2)
    const intent = {
      kind: 'transaction',
      network: 'tron',
      chain: 'tron',
      bytes,
      signMode: 'amino_json',
    } as const
    expect(() => encodeIntent(intent)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
    const { signMode: _, ...direct } = intent
    const encoded = encodeIntent(direct)
    expect(() => decodeIntent(encoded.with(1, 7))).toThrow(NetworkError)
    const onCosmos = encodeIntent({ ...direct, network: 'cosmos', chain: 'cosmoshub' })
    expect(decodeIntent(onCosmos.with(1, 7))).toMatchObject({ chain: 'cosmoshub', signMode: 'amino_json' })
  })

  test('an unknown chain, a foreign network, a field of the wrong size and a lone surrogate cannot be encoded', () => {
    const hello = { kind: 'message', network: 'evm', chain: 'base', message: Uint8Array.of(1) } as const
    expect(() => encodeIntent({ ...hello, chain: 'nowhere' })).toThrow(
      expect.objectContaining({ code: 'chain_unsupported' }),
    )
    expect(() => encodeIntent({ ...hello, network: 'tron' })).toThrow(NetworkError)
    expect(() => encodeIntent({ kind: 'hash', chain: 'base', hash: new Uint8Array(31) })).toThrow(
      NetworkError,
    )
    expect(() => encodeIntent({ kind: 'typed_data', chain: 'base', typedData: '\ud800' })).toThrow(
      expect.objectContaining({ code: 'invalid_payload' }),
    )
  })
})
