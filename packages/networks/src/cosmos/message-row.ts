import { type ProtoMessage, type ProtoShape, protoSchema } from '../codec/protobuf/proto-type.ts'
import { readPartly } from '../codec/protobuf/read-message.ts'
import { writeMessage } from '../codec/protobuf/write-message.ts'
import { unlessRefused } from '../network-error.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { type AminoReading, fromAmino } from './amino-message.ts'
import type { MessageScope } from './described.ts'

/**
 * A message that is understood: the accounts that must sign it, what it does, and its protobuf, `undefined` where it
 * was read from amino JSON that the chain would write otherwise.
 */
export type KnownMessage = {
  readonly signers: (prefix: string) => readonly string[]
  readonly describe: (scope: MessageScope) => readonly DescribedAction[]
  readonly encoded: Uint8Array | undefined
}

/** A type of message; both readings are `undefined` where the message has parts that are not known. */
export type MessageRow = {
  readonly typeUrl: string
  readonly aminoName: string | null
  readonly fromProto: (bytes: Uint8Array) => KnownMessage | undefined
  readonly fromAmino: (value: unknown, reading: AminoReading) => KnownMessage | undefined
}

/** Who signs: the field that names the account, or the accounts of a message. */
type SignersOf<message> = (keyof message & string) | ((message: message, prefix: string) => readonly string[])

/**
 * One row of the table of messages: type in protobuf (without the slash) and in amino JSON (`null`: it has no name or
 * another form there), who signs, fields in their order, what it does.
 */
export function row<const shape extends ProtoShape>(
  typeUrl: string,
  aminoName: string | null,
  shape: shape,
  signersOf: SignersOf<ProtoMessage<shape>>,
  describe: (
    message: ProtoMessage<shape>,
    scope: MessageScope,
  ) => DescribedAction | readonly DescribedAction[],
): MessageRow {
  const schema = protoSchema(shape)
  const known = (message: ProtoMessage<shape>, encoded: Uint8Array | undefined): KnownMessage => ({
    signers: (prefix) =>
      typeof signersOf === 'function' ? signersOf(message, prefix) : [message[signersOf] as string],
    describe: (scope) => [describe(message, scope)].flat(),
    encoded,
  })
  return {
    typeUrl: `/${typeUrl}`,
    aminoName,
    fromProto(bytes) {
      const { message, isWhole } = readPartly(bytes, schema)
      return isWhole ? known(message, bytes) : undefined
    },
    fromAmino(value, reading) {
      const state = { ...reading, isExact: true }
      return unlessRefused(() => {
        const message = fromAmino(value, schema, state)
        return known(message, state.isExact ? writeMessage(message, schema) : undefined)
      })
    },
  }
}
