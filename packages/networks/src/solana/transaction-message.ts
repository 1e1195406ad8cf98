import { type ByteReader, byteReader } from '../codec/byte-reader.ts'
import { invalidPayload } from '../network-error.ts'
import { compactLength } from './compact-length.ts'

/** An instruction of a message; program and accounts are places in the message's row of accounts. */
export type CompiledInstruction = {
  readonly program: number
  readonly accounts: Uint8Array
  readonly data: Uint8Array
}

/** An address look-up table and the places in it that a message loads. */
type TableLookup = {
  readonly table: Uint8Array
  readonly writable: Uint8Array
  readonly readonly: Uint8Array
}

/** A message taken apart, all bytes views of its own. `keys` are the accounts it names; the first `signers` sign. */
export type SolanaMessage = {
  readonly bytes: Uint8Array
  readonly signers: number
  readonly keys: readonly Uint8Array[]
  readonly instructions: readonly CompiledInstruction[]
  readonly tables: readonly TableLookup[]
}

/** The runtime runs no more of them, those that programs call included (`MAX_INSTRUCTION_TRACE_LENGTH`). */
const instructionsMax = 64

/**
 * Decodes a legacy message or one of version 0, whole and canonical (docs: Solana transaction format; the checks are
 * those of the runtime's `sanitize`). Another version, an account named twice, a place that is not there or trailing
 * bytes are `invalid_payload`, as are more than 64 instructions.
 */
export function decodeSolanaMessage(bytes: Uint8Array): SolanaMessage {
  const reader = byteReader(bytes, (bytes[0] ?? 0) < 0x80 ? 0 : 1)
  const isVersioned = (bytes[0] ?? 0) >= 0x80
  if (isVersioned && bytes[0] !== 0x80) throw invalidPayload('The version of the message is not supported.')
  const signers = reader.u8()
  const readonlySigners = reader.u8()
  const readonlyOthers = reader.u8()
  const keys = list(reader, () => reader.bytes(32))
  if (readonlySigners >= signers || signers + readonlyOthers > keys.length) {
    throw invalidPayload('The header of the message is malformed.')
  }
  if (hasTwice(keys)) throw invalidPayload('The message names an account twice.')
  // The recent blockhash, or the value of a durable nonce.
  reader.bytes(32)
  const instructions = list(reader, () => readInstruction(reader))
  if (instructions.length > instructionsMax)
    throw invalidPayload(`The transaction has more than ${instructionsMax} instructions.`)
  const tables = isVersioned ? list(reader, () => readTable(reader)) : []
  if (reader.left() !== 0) throw invalidPayload('The message has trailing bytes.')
  checkPlaces(instructions, keys.length, tables)
  return { bytes, signers, keys, instructions, tables }
}

function readInstruction(reader: ByteReader): CompiledInstruction {
  const program = reader.u8()
  const accounts = reader.bytes(compactLength(reader))
  return { program, accounts, data: reader.bytes(compactLength(reader)) }
}

function readTable(reader: ByteReader): TableLookup {
  const table = reader.bytes(32)
  const writable = reader.bytes(compactLength(reader))
  const lookup = { table, writable, readonly: reader.bytes(compactLength(reader)) }
  if (writable.length + lookup.readonly.length === 0) throw invalidPayload('A look-up table is not used.')
  return lookup
}

/** Every account is there; programs are named by the message itself and are not the fee payer. */
function checkPlaces(
  instructions: readonly CompiledInstruction[],
  keys: number,
  tables: readonly TableLookup[],
): void {
  const loaded = tables.reduce((sum, { writable, readonly }) => sum + writable.length + readonly.length, 0)
  if (keys + loaded > 256) throw invalidPayload('The message has too many accounts.')
  for (const { program, accounts } of instructions) {
    if (program === 0 || program >= keys || accounts.some((place) => place >= keys + loaded)) {
      throw invalidPayload('An instruction names an account that is not there.')
    }
  }
}

function hasTwice(keys: readonly Uint8Array[]): boolean {
  return keys.some((key, index) => {
    for (let other = 0; other < index; other++) if (isSameKey(key, keys[other])) return true
    return false
  })
}

/** Whether two keys are the same 32 bytes. */
export function isSameKey(key: Uint8Array, other: Uint8Array | undefined): boolean {
  return other !== undefined && key.every((byte, index) => byte === other[index])
}

function list<item>(reader: ByteReader, read: () => item): item[] {
  const items: item[] = []
  for (let left = compactLength(reader); left > 0; left--) items.push(read())
  return items
}
