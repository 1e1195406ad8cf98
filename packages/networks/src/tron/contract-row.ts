import {
  type ProtoMessage,
  type ProtoShape,
  type ProtoType,
  protoSchema,
} from '../codec/protobuf/proto-type.ts'
import { readPartly } from '../codec/protobuf/read-message.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import type { ContractScope } from './described.ts'

type ContractShape = ProtoShape & { readonly owner_address: ProtoType<Uint8Array> }

/** A contract taken apart: its owner, and what it does, `undefined` where it has fields that are not known. */
export type ReadContract = {
  readonly owner: Uint8Array
  readonly describe: ((scope: ContractScope) => readonly DescribedAction[]) | undefined
}

/** A type of contract by its name. */
export type ContractRow = {
  readonly name: string
  readonly read: (message: Uint8Array) => ReadContract
}

/** One row of the table of contracts; `shape` is its message (core/contract of java-tron's protocol). */
export function row<const shape extends ContractShape>(
  name: string,
  shape: shape,
  describe: (
    contract: ProtoMessage<shape>,
    scope: ContractScope,
  ) => DescribedAction | readonly DescribedAction[],
): ContractRow {
  const schema = protoSchema(shape)
  return {
    name,
    read(bytes) {
      const { message, isWhole } = readPartly(bytes, schema)
      return {
        owner: (message as { owner_address: Uint8Array }).owner_address,
        describe: isWhole ? (scope) => [describe(message, scope)].flat() : undefined,
      }
    },
  }
}
