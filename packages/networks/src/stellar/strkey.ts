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

/** CRC-16/XMODEM of the sixteen values of four bits: polynomial 0x1021, start 0 (SEP-23). */
const crcTable = Uint16Array.from({ length: 16 }, (_, value) => {
  let crc = value << 12
  for (let bit = 0; bit < 4; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  return crc
})

/** The text of a key: version, the parts in order, checksum, in base32 (RFC 4648) without padding (SEP-23). */
export function strkey(kind: keyof typeof versions, ...parts: readonly Uint8Array[]): string {
  // Every preview and digest writes several of these: one pass does checksum and text.
  let text = ''
  let crc = 0
  let bits = 0
  let left = 0

  function write(byte: number): void {
    bits = ((bits << 8) | byte) & 0xfff
    left += 8
    for (; left >= 5; left -= 5) text += alphabet.charAt((bits >> (left - 5)) & 31)
  }

  function add(byte: number): void {
    crc = (crcTable[((crc >> 12) ^ (byte >> 4)) & 15] ?? 0) ^ (crc << 4)
    crc = (crcTable[((crc >> 12) ^ byte) & 15] ?? 0) ^ (crc << 4)
    write(byte)
  }

  add(versions[kind] << 3)
  for (const part of parts) for (const byte of part) add(byte)
  const checksum = crc & 0xffff
  write(checksum & 0xff)
  write(checksum >> 8)
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
  const bytes = new Uint8Array(readBytes[kind] + 3)
  if (text.length !== Math.ceil((bytes.length * 8) / 5)) return undefined
  let bits = 0
  let length = 0
  for (const [index, character] of [...text].entries()) {
    const value = alphabet.indexOf(character)
    if (value < 0) return undefined
    bits = ((bits << 5) | value) & 0xfff
    if (((index + 1) * 5) % 8 < 5) bytes[length++] = (bits >> (((index + 1) * 5) % 8)) & 0xff
  }
  const body = bytes.slice(1, -2)
  bytes.fill(0)
  // What another kind, checksum or bit makes of it is not this text.
  return strkey(kind, body) === text ? body : undefined
}
