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
  let head = 0
  let tail = 32 * argumentCount

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

  /** The start of a dynamic argument and its length, the tail moved behind it. */
  function dynamic(elementSize: number): { start: number; length: number } {
    if (number(next(), 32) !== BigInt(tail)) throw invalidPayload('The call data is not canonical.')
    return sized(elementSize)
  }

  function sized(elementSize: number): { start: number; length: number } {
    const length = Number(number(wordAt(tail), 24))
    const start = tail + 32
    tail = start + Math.ceil((length * elementSize) / 32) * 32
    if (tail > data.length) throw invalidPayload('The call data ends too early.')
    return { start, length }
  }

  function bytesAt({ start, length }: { start: number; length: number }): Uint8Array {
    if (data.subarray(start + length, tail).some((byte) => byte !== 0)) {
      throw invalidPayload('The call data is not canonical.')
    }
    return data.subarray(start, start + length)
  }

  return {
    address: () => {
      const word = next()
      number(word, 160)
      return checksumAddress(word.subarray(12))
    },
    uint: (bits = 256) => number(next(), bits),
    bool: () => number(next(), 1) === 1n,
    word: next,
    bytes: () => bytesAt(dynamic(1)),
    uints: () => {
      const { start, length } = dynamic(32)
      return Array.from({ length }, (_, index) => bytesToQuantity(wordAt(start + 32 * index)))
    },
    bytesList: () => {
      const { start, length } = dynamic(32)
      return Array.from({ length }, (_, index) => {
        const offset = number(wordAt(start + 32 * index), 32)
        if (offset !== BigInt(tail - start)) throw invalidPayload('The call data is not canonical.')
        return bytesAt(sized(1))
      })
    },
    tuples: (wordCount, read) => {
      const { start, length } = dynamic(32)
      return Array.from({ length }, (_, index) => {
        const offset = number(wordAt(start + 32 * index), 32)
        if (offset !== BigInt(tail - start)) throw invalidPayload('The call data is not canonical.')
        const inner = abiReader(data.subarray(tail), wordCount)
        const value = read(inner)
        tail += inner.size()
        return value
      })
    },
    end: () => {
      if (tail !== data.length) throw invalidPayload('The call data has trailing bytes.')
    },
    size: () => tail,
  }
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
