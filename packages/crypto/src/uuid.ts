const canonical = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hyphen = 45
const timeLimitMs = 2 ** 48

/**
 * Makes a version 7 UUID, lower case: ids of a later millisecond sort after those of an earlier one.
 *
 * `nowMs` is Unix time in whole milliseconds (48 bits), `random` 10 fresh random bytes, of which 74 bits are
 * used. Throws `RangeError` on anything else. RFC 9562 section 5.7.
 */
export function uuidv7(nowMs: number, random: Uint8Array): string {
  if (!Number.isSafeInteger(nowMs) || nowMs < 0 || nowMs >= timeLimitMs) {
    throw new RangeError('A UUIDv7 takes whole milliseconds of 48 bits.')
  }
  if (random.length !== 10) throw new RangeError('A UUIDv7 takes 10 random bytes.')
  const bytes = new Uint8Array(16)
  const high = Math.floor(nowMs / 2 ** 16)
  bytes[0] = high >>> 24
  bytes[1] = high >>> 16
  bytes[2] = high >>> 8
  bytes[3] = high
  bytes[4] = nowMs / 2 ** 8
  bytes[5] = nowMs
  bytes.set(random, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return uuidFromBytes(bytes)
}

/** Reads the canonical text of a UUID of any version into 16 bytes; upper case or any other spelling is a `RangeError`. */
export function uuidToBytes(text: string): Uint8Array {
  if (typeof text !== 'string' || !canonical.test(text)) throw new RangeError('Not a canonical UUID.')
  const bytes = new Uint8Array(16)
  let at = 0
  for (let i = 0; i < 16; i++) {
    if (text.charCodeAt(at) === hyphen) at++
    bytes[i] = (nibble(text.charCodeAt(at)) << 4) | nibble(text.charCodeAt(at + 1))
    at += 2
  }
  return bytes
}

/** Writes 16 bytes as the canonical lower-case text of RFC 9562 section 4; another length is a `RangeError`. */
export function uuidFromBytes(bytes: Uint8Array): string {
  if (bytes.length !== 16) throw new RangeError('A UUID has 16 bytes.')
  let text = ''
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += '-'
    text += hex[bytes[i] ?? 0]
  }
  return text
}

const nibble = (code: number): number => (code < 58 ? code - 48 : code - 87)
