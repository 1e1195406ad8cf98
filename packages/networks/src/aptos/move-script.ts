import { invalidPayload } from '../network-error.ts'
import { excerptHex } from '../preview/excerpt.ts'
import type { BcsReader } from './bcs-reader.ts'
import { readTypeTags } from './type-tag.ts'

/** Compiled code that a transaction brings along and runs as its sender: what it does is not known. */
export type MoveScript = {
  readonly code: Uint8Array
  readonly types: readonly string[]
  /** Its arguments in hex. */
  readonly args: readonly string[]
}

/** Reads a Script. */
export function readScript(reader: BcsReader): MoveScript {
  return {
    code: reader.bytes(),
    types: readTypeTags(reader),
    args: reader.list(() => readArgument(reader)),
  }
}

/** Bytes of TransactionArgument's variants: numbers, an address (3), a flag (5); 4 and 9 say themselves how long they are. */
const sizes: readonly number[] = [1, 8, 16, 32, 0, 1, 2, 4, 32, 0]

function readArgument(reader: BcsReader): string {
  const size = sizes[reader.length()]
  if (size === undefined) throw invalidPayload('The kind of the transaction is unknown.')
  return excerptHex(size === 0 ? reader.bytes() : Uint8Array.from({ length: size }, reader.u8))
}
