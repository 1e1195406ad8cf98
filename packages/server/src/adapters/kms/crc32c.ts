const polynomial = 0x82f63b78
const table: Readonly<Uint32Array> = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1
  return value
})

/** The Castagnoli checksum of bytes (RFC 3720, appendix B.4), which Google's services compare. */
export function crc32c(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of bytes) value = (value >>> 8) ^ (table[(value ^ byte) & 255] ?? 0)
  return (value ^ 0xffffffff) >>> 0
}
