import {
  expectEnd,
  readFixed,
  readU8,
  readU64,
  WireError,
  type WireReader,
  type WireWriter,
  writeU8,
  writeU64,
  writeUuid,
} from './wire.ts'

/** What can happen that the enclave keeps a mark of, by its byte on the wire. */
export const markKinds = [
  'session_revoked',
  'wallet_archived',
  'wallet_active',
  'rules_changed',
  'agent_changed',
] as const

/**
 * Something that has happened to what has this `id`: a session, a wallet, an organization's rules or an agent's policy. Of two that happened to the same, the
 * one with the higher `order` holds: microseconds since 1970, or the version of rules and policies. `endsAtMs` is when a session would have ended by itself
 * (milliseconds since 1970; null: never, or no session).
 */
export type Mark = {
  kind: (typeof markKinds)[number]
  id: string
  order: number
  endsAtMs: number | null
}

/** A mark as the enclave reads it: `id` is a view of 16 bytes. */
export type ReceivedMark = Omit<Mark, 'id'> & { id: Uint8Array }

/** Appends the body of a `note` request. */
export function writeNoteRequest(writer: WireWriter, { kind, id, order, endsAtMs }: Mark): void {
  writeU8(writer, markKinds.indexOf(kind))
  writeUuid(writer, id)
  writeU64(writer, order)
  writeU64(writer, endsAtMs ?? 0)
}

/** Reads the body of a `note` request. */
export function readNoteRequest(reader: WireReader): ReceivedMark {
  const kind = markKinds[readU8(reader)]
  if (kind === undefined) throw new WireError('unknown kind of mark')
  const id = readFixed(reader, 16)
  const order = readU64(reader)
  const endsAtMs = readU64(reader) || null
  expectEnd(reader)
  return { kind, id, order, endsAtMs }
}
