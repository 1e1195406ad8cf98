import { displayAddress } from './address.ts'
import type { BcsReader } from './bcs-reader.ts'
import { readTypeTag } from './type-tag.ts'

/**
 * A call of an entry function: `module` is its address and name (`0x1::coin`), each argument the BCS bytes of its
 * value.
 */
export type EntryFunction = {
  readonly module: string
  readonly name: string
  readonly types: readonly string[]
  readonly args: readonly Uint8Array[]
}

/** Reads an EntryFunction. */
export function readEntryFunction(reader: BcsReader): EntryFunction {
  return {
    module: `${displayAddress(reader.address())}::${reader.identifier()}`,
    name: reader.identifier(),
    types: reader.list(() => readTypeTag(reader)),
    args: reader.list(reader.bytes),
  }
}
