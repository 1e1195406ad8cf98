/** What a strkey stands for, by its version: the letter it starts with is the version's in base32 (SEP-23). */
const versions = {
  /** B */
  claimableBalance: 1,
  /** C */
  contract: 2,
  /** G */
  account: 6,
  /** L */
  liquidityPool: 11,
  /** M */
  muxedAccount: 12,
  /** P */
  signedPayload: 15,
  /** S */
  seed: 18,
  /** T */
  preAuthTransaction: 19,
  /** X */
  hashX: 23,
} as const

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** The value of each character, by its code; 255 is none. */
const values = new Uint8Array(128).fill(255)
for (let value = 0; value < alphabet.length; value++) values[alphabet.charCodeAt(value)] = value
/** Two characters at once, by ten bits. */
const pairs = Array.from({ length: 1024 }, (_, ten) => alphabet.charAt(ten >> 5) + alphabet.charAt(ten & 31))

/** CRC-16/XMODEM of single bytes: polynomial 0x1021, start 0 (SEP-23). */
const crcTable = Uint16Array.from({ length: 256 }, (_, value) => {
  let crc = value << 8
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  return crc
})

const crcWith = (crc: number, byte: number) => ((crc << 8) & 0xffff) ^ (crcTable[(crc >> 8) ^ byte] ?? 0)

/** The text of a key: version, the parts in order, checksum, in base32 (RFC 4648) without padding (SEP-23). */
export function strkey(kind: keyof typeof versions, ...parts: readonly Uint8Array[]): string {
  // Every preview and digest writes several of these, and a policy may name thousands: one pass does checksum and text.
  let text = ''
  let bits = versions[kind] << 3
  let left = 8
  let crc = crcWith(0, bits)
  for (const part of parts) {
    for (let index = 0; index < part.length; index++) {
      const byte = part[index] ?? 0
      crc = crcWith(crc, byte)
      bits = ((bits << 8) | byte) & 0x3ffff
      left += 8
      if (left >= 10) {
        left -= 10
        text += pairs[(bits >> left) & 1023] ?? ''
      }
    }
  }
  bits = ((bits & 0x3ff) << 16) | ((crc & 0xff) << 8) | (crc >> 8)
  left += 16
  for (; left >= 10; left -= 10) text += pairs[(bits >> (left - 10)) & 1023] ?? ''
  if (left >= 5) {
    left -= 5
    text += alphabet.charAt((bits >> left) & 31)
  }
  return left === 0 ? text : text + alphabet.charAt((bits << (5 - left)) & 31)
}

/** Bytes behind the version of the kinds that are read: a muxed account has its key and the customer's number. */
const readBytes = { account: 32, seed: 32, contract: 32, muxedAccount: 40 } as const

/**
 * The bytes of a strkey of that kind, or `undefined` for another kind, length or checksum, or a text that is not the
 * one `strkey` writes (SEP-23).
 */
export function readStrkey(kind: keyof typeof readBytes, text: string): Uint8Array | undefined {
  // Version, body and checksum in characters of five bits: 56 of an account, none left over, or 69.
  const length = readBytes[kind] + 3
  // The first five bits are the version.
  if (text.length !== Math.ceil((length * 8) / 5) || text[0] !== alphabet[versions[kind]]) return undefined
  const bytes = new Uint8Array(length)
  let bits = 0
  let left = 0
  let at = 0
  for (let index = 0; index < text.length; index++) {
    const value = values[text.charCodeAt(index)] ?? 255
    if (value === 255) return undefined
    bits = ((bits << 5) | value) & 0xfff
    left += 5
    if (left < 8) continue
    left -= 8
    bytes[at++] = bits >> left
  }
  let crc = 0
  for (let index = 0; index < length - 2; index++) crc = crcWith(crc, bytes[index] ?? 0)
  // Another version, checksum or bit is what `strkey` does not write.
  const isSame =
    bytes[0] === versions[kind] << 3 &&
    bytes[length - 2] === (crc & 0xff) &&
    bytes[length - 1] === crc >> 8 &&
    (bits & ((1 << left) - 1)) === 0
  const body = isSame ? bytes.slice(1, -2) : undefined
  bytes.fill(0)
  return body
}
