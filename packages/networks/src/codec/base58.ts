import { sha256 } from '#sha2'
import { concat } from './concat.ts'
import { isSameBytes } from './same-bytes.ts'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** Five digits at once: 58^5 is below 2^30, and times 2^16 below 2^53. */
const digitsAtOnce = 5
const chunk = 58 ** digitsAtOnce

/** Base58 in Bitcoin's alphabet, a 1 for each leading zero byte; its time grows with the square of the length. */
export function toBase58(bytes: Uint8Array): string {
  const words = new Uint32Array((bytes.length + 1) >> 1)
  for (let index = bytes.length - 1, word = words.length - 1; word >= 0; index -= 2, word--) {
    words[word] = ((bytes[index - 1] ?? 0) << 8) | (bytes[index] ?? 0)
  }
  // The digits from the last to the first.
  const digits: number[] = []
  for (let start = 0; start < words.length; ) {
    let rest = 0
    for (let index = start; index < words.length; index++) {
      const value = rest * 0x10000 + (words[index] ?? 0)
      const quotient = Math.floor(value / chunk)
      words[index] = quotient
      rest = value - quotient * chunk
    }
    while (start < words.length && words[start] === 0) start++
    for (let digit = 0; digit < digitsAtOnce; digit++) {
      digits.push(rest % 58)
      rest = (rest / 58) | 0
    }
  }
  while (digits.at(-1) === 0) digits.pop()
  for (let index = 0; index < bytes.length && bytes[index] === 0; index++) digits.push(0)
  let text = ''
  for (let index = digits.length - 1; index >= 0; index--) text += alphabet[digits[index] ?? 0]
  return text
}

/** Base58Check: a version byte, the payload and four bytes of their double SHA-256. */
export function toBase58Check(version: number, payload: Uint8Array): string {
  const bytes = concat(Uint8Array.of(version), payload)
  return toBase58(concat(bytes, sha256(sha256(bytes)).subarray(0, 4)))
}

/**
 * The bytes of a base58 text, or `undefined` for a character that is not in the alphabet. Any text has one reading only;
 * its time grows with the square of the length, which the caller bounds.
 */
export function fromBase58(text: string): Uint8Array | undefined {
  // The bytes from the last to the first.
  const bytes: number[] = []
  for (const character of text) {
    let carry = alphabet.indexOf(character)
    if (carry < 0) return undefined
    for (let index = 0; index < bytes.length; index++) {
      carry += (bytes[index] ?? 0) * 58
      bytes[index] = carry & 255
      carry >>= 8
    }
    for (; carry > 0; carry >>= 8) bytes.push(carry & 255)
  }
  for (let index = 0; index < text.length && text[index] === '1'; index++) bytes.push(0)
  const read = Uint8Array.from(bytes).reverse()
  bytes.fill(0)
  return read
}

/** Version byte and payload of a Base58Check text, or `undefined` where the checksum is another. */
export function fromBase58Check(text: string): { version: number; payload: Uint8Array } | undefined {
  const bytes = fromBase58(text)
  const [version] = bytes ?? []
  if (bytes === undefined || version === undefined || bytes.length < 5) return undefined
  const body = bytes.subarray(0, -4)
  const checksum = sha256(sha256(body)).subarray(0, 4)
  return isSameBytes(checksum, bytes.subarray(-4)) ? { version, payload: body.subarray(1) } : undefined
}
