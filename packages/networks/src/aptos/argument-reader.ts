import { byteReader } from '../codec/byte-reader.ts'
import { toHex0x } from '../codec/hex.ts'
import { invalidPayload } from '../network-error.ts'
import type { BcsReader } from './bcs-reader.ts'
import { bcsReader } from './bcs-reader.ts'

/** Takes the arguments of an entry function in order; one that is not of its type is `invalid_payload`. */
export type ArgumentReader = {
  address(): string
  u64(): bigint
  addresses(): string[]
  u64s(): bigint[]
  flag(): boolean
  end(): void
}

/** A reader over arguments, each the BCS of a value and nothing more. */
export function argumentReader(args: readonly Uint8Array[]): ArgumentReader {
  let next = 0

  function take(): Uint8Array {
    const bytes = args[next++]
    if (!bytes) throw invalidPayload('An argument of the function is missing.')
    return bytes
  }

  function takeFixed(length: number): Uint8Array {
    const bytes = take()
    if (bytes.length !== length) throw invalidPayload('An argument of the function is of another type.')
    return bytes
  }

  function takeList<item>(read: (reader: BcsReader) => item): item[] {
    const reader = bcsReader(take())
    const items = reader.list(() => read(reader))
    reader.end()
    return items
  }

  return {
    address: () => toHex0x(takeFixed(32)),
    u64: () => byteReader(takeFixed(8)).u64(),
    addresses: () => takeList((reader) => toHex0x(reader.address())),
    u64s: () => takeList((reader) => reader.u64()),
    flag() {
      return bcsReader(takeFixed(1)).flag()
    },
    end() {
      if (next !== args.length) throw invalidPayload('The function has more arguments than it takes.')
    },
  }
}
