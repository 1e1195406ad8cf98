import fc from 'fast-check'
import { toRlp } from 'viem'
import { describe, expect, test } from 'vitest'
import { messageBytes } from '../intent/message-bytes.ts'
import { NetworkError } from '../network-error.ts'
import { vectorJson } from '../testing/vectors.ts'
import { toHex0x } from './hex.ts'
import { decodeRlp, encodeRlp, type RlpItem } from './rlp.ts'

const { item } = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof(
    { depthSize: 'small' },
    fc.uint8Array({ maxLength: 70 }),
    fc.array(tie('item'), { maxLength: 5 }),
    fc.uint8Array({ minLength: 250, maxLength: 300 }),
  ),
}))

function plain(value: RlpItem): unknown {
  return value instanceof Uint8Array ? toHex0x(value) : value.map(plain)
}

describe('rlp', () => {
  test('encodes as viem does, and decodes to the same item', () => {
    fc.assert(
      fc.property(item, (value) => {
        const encoded = encodeRlp(value)
        expect(toHex0x(encoded)).toBe(toRlp(plain(value) as Parameters<typeof toRlp>[0]))
        expect(plain(decodeRlp(encoded))).toEqual(plain(value))
      }),
      { numRuns: 500 },
    )
  })

  test('random and mutated bytes are refused with NetworkError, or are the one encoding of what they decode to', () => {
    const random = fc.uint8Array({ maxLength: 100 })
    const mutated = fc.tuple(item, fc.nat(), fc.nat(255)).map(([value, at, byte]) => {
      const bytes = Uint8Array.from(encodeRlp(value))
      bytes[at % bytes.length] = byte
      return bytes
    })
    fc.assert(
      fc.property(fc.oneof(random, mutated), (bytes) => {
        let decoded: RlpItem
        try {
          decoded = decodeRlp(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(NetworkError)
          return
        }
        expect(toHex0x(encodeRlp(decoded))).toBe(toHex0x(bytes))
      }),
      { numRuns: 3000 },
    )
  })

  test.each([
    ['a single byte with a length', '0x8101'],
    ['a long length for a short string', `0xb837${'ff'.repeat(55)}`],
    ['a long length for a short list', `0xf837${'80'.repeat(55)}`],
    ['a length with a leading zero', `0xb90038${'00'.repeat(56)}`],
    ['a string that ends too early', '0x83aabb'],
    ['an inner item that leaves its list', '0xc283aabbcc'],
    ['trailing bytes', '0x8000'],
    ['nothing', '0x'],
    ['a length above memory', '0xbfffffffffffffffff'],
    ['lists that promise more than there is', '0xf8fff8fff8ff'],
  ])('%s is refused', (_, hex) => {
    expect(() => decodeRlp(messageBytes(hex, 'hex'))).toThrow(
      expect.objectContaining({ code: 'invalid_payload' }),
    )
  })

  test('lists nested 33 deep are refused, 32 are not', () => {
    const nested = (depth: number): RlpItem => (depth === 0 ? [] : [nested(depth - 1)])
    expect(plain(decodeRlp(encodeRlp(nested(31))))).toEqual(plain(nested(31)))
    expect(() => decodeRlp(encodeRlp(nested(32)))).toThrow(NetworkError)
  })

  test('the vectors of Ethereum are reproduced', () => {
    type Input = string | number | Input[]
    const toItem = (input: Input): RlpItem => {
      if (Array.isArray(input)) return input.map(toItem)
      if (typeof input === 'string' && !input.startsWith('#'))
        return Uint8Array.from(Buffer.from(input, 'latin1'))
      const value = BigInt(typeof input === 'string' ? input.slice(1) : input)
      const hex = value === 0n ? '' : value.toString(16)
      return Uint8Array.from(Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex'))
    }
    const cases = Object.values(
      vectorJson<Record<string, { in: Input; out: string }>>('ethereum/rlptest.json') ?? {},
    )
    for (const { in: input, out } of cases) {
      expect(toHex0x(encodeRlp(toItem(input)))).toBe(out.toLowerCase())
      expect(plain(decodeRlp(messageBytes(out, 'hex')))).toEqual(plain(toItem(input)))
    }
  })
})
