import { bytesToQuantity } from '../codec/quantity.ts'
import { invalidPayload, unlessRefused } from '../network-error.ts'
import { checksumAddress } from './address.ts'

/**
 * Reads the arguments of a call in order. Only the encoding that every compiler makes is accepted: clean
 * padding, tails in order without gaps, nothing behind; anything else is `invalid_payload`.
 */
export type AbiReader = {
  address(): string
  uint(bits?: number): bigint
  bool(): boolean
  word(): Uint8Array
  bytes(): Uint8Array
  uints(): readonly bigint[]
  bytesList(): readonly Uint8Array[]
  /** A list of tuples that hold something dynamic; each with `wordCount` words in its own head. */
  tuples<value>(wordCount: number, read: (reader: AbiReader) => value): readonly value[]
  end(): void
  /** How many bytes have been read, heads and tails. */
  size(): number
}

/** A reader of `argumentCount` arguments, each with one word in the head. */
export function abiReader(data: Uint8Array, argumentCount: number): AbiReader {
  const words = abiWords(data, 32 * argumentCount)
  const { next, number, wordAt } = words
  return {
    address() {
      const word = next()
      number(word, 160)
      return checksumAddress(word.subarray(12))
    },
    uint: (bits = 256) => number(next(), bits),
    bool: () => number(next(), 1) === 1n,
    word: next,
    bytes: () => words.bytesAt(words.dynamic(1)),
    uints() {
      const { start, length } = words.dynamic(32)
      return Array.from({ length }, (_, index) => bytesToQuantity(wordAt(start + 32 * index)))
    },
    bytesList: () => words.tails(() => words.bytesAt(words.sized(1))),
    tuples: (wordCount, read) =>
      words.tails((at) => {
        const inner = abiReader(data.subarray(at), wordCount)
        const value = read(inner)
        words.skip(inner.size())
        return value
      }),
    end() {
      if (words.tail() !== data.length) throw invalidPayload('The call data has trailing bytes.')
    },
    size: words.tail,
  }
}

/** The words of a head and the tails behind it, which begins at `tail`; both are read in order. */
function abiWords(data: Uint8Array, tail: number) {
  let head = 0

  function wordAt(at: number): Uint8Array {
    if (at + 32 > data.length) throw invalidPayload('The call data ends too early.')
    return data.subarray(at, at + 32)
  }

  function next(): Uint8Array {
    head += 32
    return wordAt(head - 32)
  }

  function number(word: Uint8Array, bits: number): bigint {
    const value = bytesToQuantity(word)
    if (value >> BigInt(bits) !== 0n) throw invalidPayload('An argument of the call is out of range.')
    return value
  }

  function expectTail(word: Uint8Array, start: number): void {
    if (number(word, 32) !== BigInt(tail - start)) throw invalidPayload('The call data is not canonical.')
  }

  /** The start of a dynamic argument and its length, the tail moved behind it. */
  function dynamic(elementSize: number): { start: number; length: number } {
    expectTail(next(), 0)
    return sized(elementSize)
  }

  function sized(elementSize: number): { start: number; length: number } {
    const length = Number(number(wordAt(tail), 24))
    const start = tail + 32
    skip(32 + Math.ceil((length * elementSize) / 32) * 32)
    if (tail > data.length) throw invalidPayload('The call data ends too early.')
    return { start, length }
  }

  function skip(bytes: number): void {
    tail += bytes
  }

  function bytesAt({ start, length }: { start: number; length: number }): Uint8Array {
    if (data.subarray(start + length, tail).some((byte) => byte !== 0))
      throw invalidPayload('The call data is not canonical.')
    return data.subarray(start, start + length)
  }

  /** The items of a list of dynamic values, each read at its own tail. */
  function tails<value>(read: (at: number) => value): readonly value[] {
    const { start, length } = dynamic(32)
    return Array.from({ length }, (_, index) => {
      expectTail(wordAt(start + 32 * index), start)
      return read(tail)
    })
  }

  return { next, number, wordAt, dynamic, sized, skip, bytesAt, tails, tail: () => tail }
}

/**
 * What `read` makes of the arguments of call data (behind its selector), or `undefined` where they are not exactly the
 * canonical encoding of what it reads.
 */
export function readCallData<value>(
  data: Uint8Array,
  argumentCount: number,
  read: (reader: AbiReader) => value,
): value | undefined {
  return unlessRefused(() => {
    const reader = abiReader(data.subarray(4), argumentCount)
    const value = read(reader)
    reader.end()
    return value
  })
}
