import { sha256 } from '#sha2'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** The value of each character, by its code; 255 is none. */
const values = new Uint8Array(128).fill(255)
for (let value = 0; value < alphabet.length; value++) values[alphabet.charCodeAt(value)] = value
/** Five digits at once: 58^5 is below 2^30, and times 2^16 below 2^53. */
const digitsAtOnce = 5
const chunk = 58 ** digitsAtOnce

/** Base58 in Bitcoin's alphabet, a 1 for each leading zero byte; its time grows with the square of the length. */
export function toBase58(bytes: Uint8Array): string {
  const words = new Uint32Array((bytes.length + 1) >> 1)
  for (let index = bytes.length - 1, word = words.length - 1; word >= 0; index -= 2, word--) {
    words[word] = ((bytes[index - 1] ?? 0) << 8) | (bytes[index] ?? 0)
  }
  // Five digits at once, from the last to the first.
  let text = ''
  for (let start = 0; start < words.length; ) {
    let rest = 0
    for (let index = start; index < words.length; index++) {
      const value = rest * 0x10000 + (words[index] ?? 0)
      const quotient = Math.floor(value / chunk)
      words[index] = quotient
      rest = value - quotient * chunk
    }
    while (start < words.length && words[start] === 0) start++
    text = `${digitsOf(rest, start === words.length ? 0 : digitsAtOnce)}${text}`
  }
  let zeros = 0
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++
  return '1'.repeat(zeros) + text
}

/** The digits of a number, at least `count`. */
function digitsOf(number: number, count: number): string {
  let text = ''
  for (let rest = number, at = 0; rest > 0 || at < count; at++) {
    text = alphabet.charAt(rest % 58) + text
    rest = (rest / 58) | 0
  }
  return text
}

/** Base58Check: a version byte, the payload and four bytes of their double SHA-256. */
export function toBase58Check(version: number, payload: Uint8Array): string {
  const length = payload.length + 1
  const bytes = new Uint8Array(length + 4)
  bytes[0] = version
  bytes.set(payload, 1)
  const checksum = sha256(sha256(bytes.subarray(0, length)))
  for (let index = 0; index < 4; index++) bytes[length + index] = checksum[index] ?? 0
  return toBase58(bytes)
}

/**
 * The bytes of a base58 text, or `undefined` for a character that is not in the alphabet. Any text has one reading only;
 * its time grows with the square of the length, which the caller bounds.
 */
export function fromBase58(text: string): Uint8Array | undefined {
  // Words of 16 bits from the last to the first, five characters at once.
  const words = new Uint32Array((text.length >> 1) + 1)
  let count = 0
  for (let start = 0; start < text.length; ) {
    const end = start === 0 ? text.length % digitsAtOnce || digitsAtOnce : start + digitsAtOnce
    let carry = 0
    for (; start < end; start++) {
      const value = values[text.charCodeAt(start)] ?? 255
      if (value === 255) return undefined
      carry = carry * 58 + value
    }
    for (let index = 0; index < count; index++) {
      const value = (words[index] ?? 0) * chunk + carry
      carry = Math.floor(value / 0x10000)
      words[index] = value - carry * 0x10000
    }
    for (; carry > 0; carry = Math.floor(carry / 0x10000)) words[count++] = carry % 0x10000
  }
  const read = bytesOf(words.subarray(0, count), text)
  words.fill(0)
  return read
}

/** The bytes of words of 16 bits, last word first, a zero byte for each leading 1 of their text. */
function bytesOf(words: Uint32Array, text: string): Uint8Array {
  let zeros = 0
  while (text[zeros] === '1') zeros++
  const top = words.at(-1) ?? 0
  const length = words.length * 2 - (words.length > 0 && top < 0x100 ? 1 : 0)
  const bytes = new Uint8Array(zeros + length)
  for (let index = 0; index < length; index++) {
    const word = words[index >> 1] ?? 0
    bytes[bytes.length - 1 - index] = index % 2 === 0 ? word : word >> 8
  }
  return bytes
}

/** Version byte and payload of a Base58Check text, or `undefined` where the checksum is another. */
export function fromBase58Check(text: string): { version: number; payload: Uint8Array } | undefined {
  const bytes = fromBase58(text)
  const version = bytes?.[0]
  if (bytes === undefined || version === undefined || bytes.length < 5) return undefined
  const body = bytes.subarray(0, -4)
  const checksum = sha256(sha256(body))
  for (let index = 0; index < 4; index++) if (checksum[index] !== bytes[body.length + index]) return undefined
  return { version, payload: body.subarray(1) }
}
