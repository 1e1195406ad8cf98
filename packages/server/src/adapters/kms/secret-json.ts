import { wipe } from '@symbolon/crypto'

const alphabet = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const digits: ReadonlyMap<number, number> = new Map(Array.from(alphabet, (digit, value) => [digit, value]))
const quote = 0x22
const space = 0x20
const padding = 0x3d

/**
 * Takes the bytes of a base64 member out of JSON before the JSON becomes a string, which nobody could wipe: answers them decoded, and
 * leaves spaces in their place. Undefined where there is no such member, or it is no base64.
 */
export function cutSecret(json: Uint8Array, member: string): Uint8Array | undefined {
  const at = Buffer.from(json.buffer, json.byteOffset, json.length).indexOf(`"${member}"`)
  if (at < 0) return undefined
  let start = at + member.length + 2
  while (json[start] === space) start += 1
  if (json[start] !== 0x3a) return undefined
  start += 1
  while (json[start] === space) start += 1
  if (json[start] !== quote) return undefined
  const end = json.indexOf(quote, start + 1)
  if (end < 0) return undefined
  const text = json.subarray(start + 1, end)
  const secret = decode(text)
  text.fill(space)
  return secret
}

function decode(text: Uint8Array): Uint8Array | undefined {
  let { length } = text
  while (length > 0 && text[length - 1] === padding) length -= 1
  const bytes = new Uint8Array(Math.floor((length * 3) / 4))
  let bits = 0
  let count = 0
  let written = 0
  for (let i = 0; i < length; i++) {
    const digit = digits.get(text[i] ?? 0)
    if (digit === undefined) {
      wipe(bytes)
      return undefined
    }
    bits = ((bits << 6) | digit) & 0xffff
    count += 6
    if (count < 8) continue
    count -= 8
    bytes[written] = bits >> count
    written += 1
  }
  return bytes
}

/** A JSON object with one more member, the base64 of a secret, as bytes that the caller wipes: it never was a string. */
export function pasteSecret(
  body: Readonly<Record<string, string>>,
  member: string,
  secret: Uint8Array,
): Uint8Array {
  const head = Buffer.from(`${JSON.stringify({ ...body, [member]: '' }).slice(0, -2)}`)
  const length = Math.ceil(secret.length / 3) * 4
  const json = new Uint8Array(head.length + length + 2)
  json.set(head)
  encode(secret, json.subarray(head.length, head.length + length))
  json.set([quote, 0x7d], head.length + length)
  return json
}

function encode(bytes: Uint8Array, into: Uint8Array): void {
  into.fill(padding)
  for (let i = 0, at = 0; i < bytes.length; i += 3, at += 4) {
    const bits = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    const count = Math.min(bytes.length - i, 3) + 1
    for (let j = 0; j < count; j++) into[at + j] = alphabet[(bits >> (18 - 6 * j)) & 63] ?? 0
  }
}
