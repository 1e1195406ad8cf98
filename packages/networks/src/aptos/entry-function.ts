import { invalidPayload } from '../network-error.ts'
import { displayAddress } from './address.ts'
import type { BcsReader } from './bcs-reader.ts'
import { readTypeTags } from './type-tag.ts'

/** Twice what a function of Move has at most (`max_function_parameters` is 128). */
const argsMax = 256

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
  const call = {
    module: `${displayAddress(reader.address())}::${reader.identifier()}`,
    name: reader.identifier(),
    types: readTypeTags(reader),
    args: reader.list(reader.bytes),
  }
  if (call.args.length > argsMax) throw invalidPayload(`The call has more than ${argsMax} arguments.`)
  return call
}
