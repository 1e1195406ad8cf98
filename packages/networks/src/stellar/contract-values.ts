import { toHex } from '../codec/hex.ts'
import { invalidPayload } from '../network-error.ts'
import { excerptHex, excerptText } from '../preview/excerpt.ts'
import { readAccountId, readMuxed } from './accounts.ts'
import { strkey } from './strkey.ts'
import type { XdrReader } from './xdr-reader.ts'

/** A value of a contract call: its text, and what an address (G…, C…) or an i128 is. */
export type ContractValue = {
  readonly text: string
  readonly address?: string
  readonly i128?: bigint
}

/** As much of a value as is shown, in characters. */
const shownMax = 300
const symbolShape = /^[A-Za-z0-9_]*$/

/** Reads an SCAddress; of a muxed account the account's own address. */
export function readContractAddress(reader: XdrReader): string {
  switch (reader.tag(5)) {
    case 0:
      return readAccountId(reader)
    case 1:
      return strkey('contract', reader.fixed(32))
    case 2:
      return readMuxed(reader).address
    case 3:
      reader.tag(1)
      return strkey('claimableBalance', Uint8Array.of(0), reader.fixed(32))
    default:
      return strkey('liquidityPool', reader.fixed(32))
  }
}

/** Reads an SCSymbol: at most 32 letters, digits and underscores. */
export function readSymbol(reader: XdrReader): string {
  const text = String.fromCharCode(...reader.opaque(32))
  if (!symbolShape.test(text)) throw invalidPayload('A symbol of the transaction is malformed.')
  return text
}

/** Reads a ContractExecutable: WASM by its hash, or the built-in contract of an asset. */
export function readExecutable(reader: XdrReader): string {
  return reader.tag(2) === 0 ? `wasm ${toHex(reader.fixed(32))}` : 'asset contract'
}

/** Reads an SCVal. */
export function readContractValue(reader: XdrReader): ContractValue {
  return reader.nested(readValue)
}

function readValue(reader: XdrReader): ContractValue {
  const kind = reader.tag(22)
  if (kind === 10) {
    const i128 = (reader.i64() << 64n) | reader.u64()
    return { text: i128.toString(), i128 }
  }
  if (kind === 18) {
    const address = readContractAddress(reader)
    return { text: address, address }
  }
  const text = readText(kind, reader)
  return { text: text.length > shownMax ? `${text.slice(0, shownMax)}…` : text }
}

function readText(kind: number, reader: XdrReader): string {
  switch (kind) {
    case 0:
      return String(reader.flag())
    case 2:
      return reader.tag(10) === 0 ? `error ${reader.u32()}` : `error ${reader.tag(10)}`
    case 3:
      return reader.u32().toString()
    case 4:
      return reader.i32().toString()
    case 5:
    case 7:
    case 8:
      return reader.u64().toString()
    case 6:
    case 21:
      return reader.i64().toString()
    case 9:
      return wide(reader.u64(), reader, 1)
    case 11:
      return wide(reader.u64(), reader, 3)
    case 12:
      return wide(reader.i64(), reader, 3)
    case 13:
      return excerptHex(reader.opaque())
    case 14:
      return excerptText(reader.opaque())
    case 15:
      return readSymbol(reader)
    case 16:
      return reader.option(readList) ?? 'none'
    case 17:
      return reader.option(readMap) ?? 'none'
    case 19:
      return `${readExecutable(reader)} ${reader.option(readMap) ?? ''}`
    default:
      return 'void'
  }
}

function readList(reader: XdrReader): string {
  return `[${reader.list(Number.POSITIVE_INFINITY, (item) => readContractValue(item).text).join(', ')}]`
}

function readMap(reader: XdrReader): string {
  const entries = reader.list(
    Number.POSITIVE_INFINITY,
    (item) => `${readContractValue(item).text}: ${readContractValue(item).text}`,
  )
  return `{${entries.join(', ')}}`
}

/** A number of a high part and `more` parts of 64 bits. */
function wide(high: bigint, reader: XdrReader, more: number): string {
  let value = high
  for (let left = more; left > 0; left--) value = (value << 64n) | reader.u64()
  return value.toString()
}
