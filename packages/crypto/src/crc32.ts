const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/**
 * The CRC-32 of zlib (RFC 1952 section 8) over the first `length` characters of an ASCII text, unsigned.
 * Finds typing errors; no protection against intent.
 */
export function crc32(ascii: string, length: number): number {
  let crc = 0xffffffff
  for (let i = 0; i < length; i++) crc = (table[(crc ^ ascii.charCodeAt(i)) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
