import { type ByteReader, byteReader } from '../codec/byte-reader.ts'
import { join } from '../codec/concat.ts'
import { toHex } from '../codec/hex.ts'
import { isSameBytes } from '../codec/same-bytes.ts'
import { invalidPayload } from '../network-error.ts'
import { readCompactSize, readSized, sized } from './compact-size.ts'
import { fits, psbtFields } from './psbt-fields.ts'
import { type RawTransaction, readTransaction } from './raw-transaction.ts'

/** One field of a map: its whole key (the type first) and its value. */
export type PsbtField = { readonly key: Uint8Array; readonly value: Uint8Array }

/** The fields of one map in their order. */
export type PsbtMap = readonly PsbtField[]

/** A partially signed transaction taken apart; `unsigned` is the transaction of version 0. */
export type Psbt = {
  readonly version: 0 | 2
  readonly unsigned: RawTransaction | undefined
  readonly global: PsbtMap
  readonly inputs: readonly PsbtMap[]
  readonly outputs: readonly PsbtMap[]
}

const magic = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff)

/**
 * Reads a PSBT of version 0 (BIP-174) or 2 (BIP-370). Fields that no BIP of ours defines are kept as they are; repeated
 * keys, fields of the other version or of a wrong length, and a rest are `invalid_payload`.
 */
export function readPsbt(bytes: Uint8Array): Psbt {
  const reader = byteReader(bytes)
  const start = reader.bytes(magic.length)
  if (!isSameBytes(start, magic)) throw invalidPayload('This is no PSBT.')
  const global = readMap(reader)
  const version = versionOf(global)
  checkFields(global, 'global', version)
  const unsigned = version === 0 ? unsignedTransaction(global) : undefined
  const readMaps = (kind: 'input' | 'output', count: number) => {
    const maps: PsbtMap[] = []
    while (maps.length < count) {
      const map = readMap(reader)
      checkFields(map, kind, version)
      maps.push(map)
    }
    return maps
  }
  const inputs = readMaps('input', unsigned?.inputs.length ?? countOf(global, 4))
  const outputs = readMaps('output', unsigned?.outputs.length ?? countOf(global, 5))
  if (reader.left() !== 0) throw invalidPayload('The PSBT has trailing bytes.')
  return { version, unsigned, global, inputs, outputs }
}

/** The bytes of a PSBT, its fields in their order. */
export function encodePsbt({ global, inputs, outputs }: Psbt): Uint8Array {
  return join([magic, ...[global, ...inputs, ...outputs].map(encodeMap)])
}

/** The value of a field whose key is its type alone. */
export function fieldOf(map: PsbtMap, type: number): Uint8Array | undefined {
  return map.find(({ key }) => key.length === 1 && key[0] === type)?.value
}

/** The value of such a field that the PSBT must have. */
export function requiredField(map: PsbtMap, type: number): Uint8Array {
  const value = fieldOf(map, type)
  if (value === undefined) throw invalidPayload('The PSBT lacks a field.')
  return value
}

/** The map with this field, in the place of one with the same key. */
export function withField(map: PsbtMap, field: PsbtField): PsbtMap {
  const index = map.findIndex(({ key }) => isSameBytes(key, field.key))
  return index === -1 ? [...map, field] : map.with(index, field)
}

function encodeMap(map: PsbtMap): Uint8Array {
  return join([...map.flatMap(({ key, value }) => [sized(key), sized(value)]), Uint8Array.of(0)])
}

function readMap(reader: ByteReader): PsbtMap {
  const fields: PsbtField[] = []
  const names = new Set<number | string | undefined>()
  for (;;) {
    const length = readCompactSize(reader)
    if (length === 0) return fields
    const key = reader.bytes(length)
    fields.push({ key, value: readSized(reader) })
    names.add(key.length === 1 ? key[0] : toHex(key))
    if (names.size !== fields.length) throw invalidPayload('A field of the PSBT is there twice.')
  }
}

function checkFields(map: PsbtMap, kind: keyof typeof psbtFields, version: 0 | 2): void {
  for (const { key, value } of map) {
    const reader = byteReader(key)
    // A type is a CompactSize; no type of several bytes is assigned yet.
    const rule = psbtFields[kind][readCompactSize(reader)]
    if (rule === undefined) continue
    const [keyLength, valueLength, only = version] = rule
    if (!fits(reader.left(), keyLength) || !fits(value.length, valueLength) || only !== version) {
      throw invalidPayload('A field of the PSBT is malformed.')
    }
  }
}

function versionOf(global: PsbtMap): 0 | 2 {
  const bytes = fieldOf(global, 0xfb)
  const version = bytes === undefined ? 0 : byteReader(bytes).u32()
  if (version !== 0 && version !== 2) throw invalidPayload('The PSBT has an unknown version.')
  return version
}

function unsignedTransaction(global: PsbtMap): RawTransaction {
  const transaction = readTransaction(requiredField(global, 0), false)
  if (transaction.inputs.some(({ script }) => script.length > 0)) {
    throw invalidPayload('The transaction of the PSBT is not unsigned.')
  }
  return transaction
}

function countOf(global: PsbtMap, type: number): number {
  const reader = byteReader(requiredField(global, type))
  const count = readCompactSize(reader)
  if (count === 0 || reader.left() !== 0) throw invalidPayload('A count of the PSBT is malformed.')
  return count
}
