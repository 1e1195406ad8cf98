import { join } from '../concat.ts'
import { encodeUtf8 } from '../utf8.ts'
import type { ProtoField, ProtoSchema } from './proto-type.ts'

/** The one encoding of a message, as `readMessage` takes it; numbers must be in the range of their kinds. */
export function writeMessage<message>(message: message, { fields }: ProtoSchema<message>): Uint8Array {
  const parts: Uint8Array[] = []
  for (const field of fields) {
    const value = (message as Readonly<Record<string, unknown>>)[field.name]
    if (field.isList) for (const item of value as readonly unknown[]) writeField(parts, field, item)
    else if (!isDefault(field, value)) writeField(parts, field, value)
  }
  return join(parts)
}

function isDefault({ kind }: ProtoField, value: unknown): boolean {
  const isEmpty = value === '' || value === 0n || value === false || value === undefined
  return isEmpty || (kind === 'bytes' && (value as Uint8Array).length === 0)
}

function writeField(parts: Uint8Array[], { kind, number, schema }: ProtoField, value: unknown): void {
  if (typeof value === 'bigint' || typeof value === 'boolean') {
    parts.push(varint(8 * number), varint(value))
    return
  }
  const bytes =
    kind === 'text'
      ? encodeUtf8(value as string)
      : schema === undefined
        ? (value as Uint8Array)
        : writeMessage(value, schema)
  parts.push(varint(8 * number + 2), varint(bytes.length), bytes)
}

function varint(value: bigint | boolean | number): Uint8Array {
  const small = Number(value)
  if (small < 0x80) return Uint8Array.of(small)
  if (small < 0x4000) return Uint8Array.of((small & 0x7f) | 0x80, small >> 7)
  const bytes: number[] = []
  let left = BigInt(value)
  for (; left >= 0x80n; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80)
  bytes.push(Number(left))
  return Uint8Array.from(bytes)
}
