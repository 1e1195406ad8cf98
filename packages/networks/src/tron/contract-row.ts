import {
  type ProtoMessage,
  type ProtoShape,
  type ProtoType,
  protoSchema,
} from '../codec/protobuf/proto-type.ts'
import { readPartly } from '../codec/protobuf/read-message.ts'
import type { ToldAction } from '../preview/summarize.ts'
import type { ContractScope } from './told.ts'

type ContractShape = ProtoShape & { readonly owner_address: ProtoType<Uint8Array> }

/** A contract taken apart: its owner, and what it does, `undefined` where it has fields that are not known. */
export type ReadContract = {
  readonly owner: Uint8Array
  readonly tell: ((scope: ContractScope) => readonly ToldAction[]) | undefined
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
  tell: (contract: ProtoMessage<shape>, scope: ContractScope) => ToldAction | readonly ToldAction[],
): ContractRow {
  const schema = protoSchema(shape)
  return {
    name,
    read(bytes) {
      const { message, isWhole } = readPartly(bytes, schema)
      return {
        owner: (message as { owner_address: Uint8Array }).owner_address,
        tell: isWhole ? (scope) => [tell(message, scope)].flat() : undefined,
      }
    },
  }
}
