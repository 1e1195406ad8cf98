import { sha256 } from '#sha2'
import { type ByteReader, byteReader } from '../codec/byte-reader.ts'
import { concat, join } from '../codec/concat.ts'
import { invalidPayload } from '../network-error.ts'
import { compactSize, readCompactSize, readSized, sized } from './compact-size.ts'

/** An input: 36 bytes of outpoint (id and u32 index), the script that unlocks it, 4 bytes of sequence. */
export type TransactionInput = { outpoint: Uint8Array; script: Uint8Array; sequence: Uint8Array }

/** An output: satoshi and script, and both as they are serialized. */
export type TransactionOutput = { amount: bigint; script: Uint8Array; bytes: Uint8Array }

/**
 * A transaction without its witnesses; `version` and `lockTime` are 4 bytes each, little-endian, `body` is inputs and
 * outputs as they are serialized.
 */
export type RawTransaction = {
  version: Uint8Array
  inputs: TransactionInput[]
  outputs: TransactionOutput[]
  body: Uint8Array
  lockTime: Uint8Array
}

/** 21 million coins. */
const amountMax = 2_100_000_000_000_000

/**
 * Reads a whole transaction, in the form with witnesses (BIP-144) only where `allowsWitness`. What has no inputs or
 * outputs, is not canonical or leaves a rest is `invalid_payload`.
 */
export function readTransaction(bytes: Uint8Array, allowsWitness: boolean): RawTransaction {
  const reader = byteReader(bytes)
  const version = reader.bytes(4)
  const hasWitness = allowsWitness && bytes[4] === 0
  if (hasWitness && reader.bytes(2)[1] !== 1) throw invalidPayload('The transaction has an unknown flag.')
  const start = bytes.length - reader.left()
  const inputs = readList(reader, readInput)
  const outputs = readList(reader, readOutput)
  const body = bytes.subarray(start, bytes.length - reader.left())
  if (hasWitness && !inputs.map(() => readWitness(reader)).includes(true)) {
    throw invalidPayload('The transaction has no witness where it says so.')
  }
  const lockTime = reader.bytes(4)
  if (reader.left() !== 0) throw invalidPayload('The transaction has trailing bytes.')
  return { version, inputs, outputs, body, lockTime }
}

/** Reads one output; an amount above all there is is `invalid_payload`. */
export function readOutput(reader: ByteReader): TransactionOutput {
  const amountBytes = reader.bytes(8)
  const script = readSized(reader)
  const { buffer, byteOffset } = amountBytes
  const bytes = new Uint8Array(buffer, byteOffset, script.byteOffset + script.length - byteOffset)
  return { amount: amountOf(amountBytes), script, bytes }
}

/** An output of its 8 bytes of amount and its script. */
export function transactionOutput(amountBytes: Uint8Array, script: Uint8Array): TransactionOutput {
  return { amount: amountOf(amountBytes), script, bytes: concat(amountBytes, sized(script)) }
}

function amountOf(bytes: Uint8Array): bigint {
  let amount = 0
  for (let at = 7; at >= 0; at--) amount = amount * 0x100 + (bytes[at] ?? 0)
  if (amount > amountMax) throw invalidPayload('An amount is out of range.')
  return BigInt(amount)
}

/** Inputs and outputs as they are serialized, each list behind its length. */
export function encodeBody(
  inputs: readonly TransactionInput[],
  outputs: readonly TransactionOutput[],
): Uint8Array {
  return join([
    compactSize(inputs.length),
    ...inputs.flatMap(({ outpoint, script, sequence }) => [outpoint, sized(script), sequence]),
    compactSize(outputs.length),
    ...outputs.map(({ bytes }) => bytes),
  ])
}

/** A transaction's id in the order of the wire (BIP-144): explorers show it reversed. */
export function transactionId({
  version,
  body,
  lockTime,
}: Omit<RawTransaction, 'inputs' | 'outputs'>): Uint8Array {
  return doubleSha256(concat(version, body, lockTime))
}

/** SHA-256 twice. */
export function doubleSha256(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes))
}

function readInput(reader: ByteReader): TransactionInput {
  return { outpoint: reader.bytes(36), script: readSized(reader), sequence: reader.bytes(4) }
}

function readList<item>(reader: ByteReader, read: (reader: ByteReader) => item): item[] {
  const items: item[] = []
  for (let left = readCompactSize(reader); left > 0; left--) items.push(read(reader))
  if (items.length === 0) throw invalidPayload('The transaction has no inputs or no outputs.')
  return items
}

/** Reads the witness of an input (BIP-144) and says whether it has any item. */
export function readWitness(reader: ByteReader): boolean {
  const count = readCompactSize(reader)
  for (let left = count; left > 0; left--) readSized(reader)
  return count > 0
}
