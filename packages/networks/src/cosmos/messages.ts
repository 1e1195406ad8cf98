import { writeMessage } from '../codec/protobuf/write-message.ts'
import { invalidPayload } from '../network-error.ts'
import { ownValue } from '../own-value.ts'
import { shownText } from '../preview/shown-text.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { type AminoReading, fromAmino } from './amino-message.ts'
import { authorityMessages } from './authority-messages.ts'
import { aminoAuthorizations } from './authorizations.ts'
import { bankMessages } from './bank-messages.ts'
import { contractMessages } from './contract-messages.ts'
import { type AnyMessage, type MessageScope, unknown } from './described.ts'
import { governanceMessages } from './governance-messages.ts'
import type { KnownMessage } from './message-row.ts'
import { stakingMessages } from './staking-messages.ts'
import { swapMessages } from './swap-messages.ts'

/** A message of a transaction: its type, and what is known of it. */
export type CosmosMessage = { readonly typeUrl: string; readonly known: KnownMessage | undefined }

const rows = [
  ...bankMessages,
  ...stakingMessages,
  ...governanceMessages,
  ...authorityMessages,
  ...contractMessages,
  ...swapMessages,
]
const byTypeUrl = new Map(rows.map((row) => [row.typeUrl, row]))
const byAminoName = new Map(
  rows.flatMap((row) => (row.aminoName === null ? [] : [[row.aminoName, row] as const])),
)

/** A message of a transaction in protobuf. */
export function messageFromProto({ type_url, value }: AnyMessage): CosmosMessage {
  return { typeUrl: type_url, known: byTypeUrl.get(type_url)?.fromProto(value) }
}

/** A message of an amino JSON document: `{type, value}`; its type in protobuf where it is known, otherwise its name. */
export function messageFromAmino(json: unknown): CosmosMessage {
  const { type, value } = typedValue(json)
  const row = byAminoName.get(type)
  if (row === undefined) return { typeUrl: type, known: undefined }
  return { typeUrl: row.typeUrl, known: row.fromAmino(value, { toAny, isExact: true }) }
}

/** What is known of something within a message; what is not makes the document inexact. */
function toAny(json: unknown, reading: AminoReading): AnyMessage {
  const { type, value } = typedValue(json)
  const other = ownValue(aminoAuthorizations, type)
  if (other !== undefined) {
    const message = fromAmino(value, other.schema, reading)
    return { type_url: other.typeUrl, value: writeMessage(message, other.schema) }
  }
  const row = byAminoName.get(type)
  const encoded = row?.fromAmino(value, { toAny, isExact: true })?.encoded
  if (row !== undefined && encoded !== undefined) return { type_url: row.typeUrl, value: encoded }
  reading.isExact = false
  return { type_url: type, value: new Uint8Array(0) }
}

function typedValue(json: unknown): { type: string; value: unknown } {
  const { type, value, ...rest } = (json ?? {}) as Readonly<Record<string, unknown>>
  const isSound = typeof type === 'string' && typeof value === 'object' && value !== null
  if (!isSound || Object.keys(rest).length > 0)
    throw invalidPayload('A message of the sign document is malformed.')
  return { type, value }
}

/** As deep as messages may stand within each other. */
const depthMax = 4

/** What a message does; `from` is who signs the transaction where it is not known. */
export function describeMessage(
  { typeUrl, known }: CosmosMessage,
  from: string,
  scope: Omit<MessageScope, 'describeInner'>,
  depth = 1,
): readonly DescribedAction[] {
  if (known === undefined) {
    const method = shownText(typeUrl)
    const warning = 'The effects of this message are unknown.'
    return [unknown({ from, to: null, method }, `Unknown message ${method}`, null, warning)]
  }
  return known.describe({
    ...scope,
    describeInner(inner) {
      if (depth >= depthMax) throw invalidPayload('Messages of the transaction are nested too deeply.')
      return describeMessage(messageFromProto(inner), from, scope, depth + 1)
    },
  })
}
