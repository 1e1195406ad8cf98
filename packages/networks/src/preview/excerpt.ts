import { toHex0x } from '../codec/hex.ts'
import { shownText } from './shown-text.ts'

/** As much of a value as an argument of a preview shows, in bytes. */
const shownMax = 64

/** Bytes as 0x hex; long ones are cut, with their length. */
export function excerptHex(bytes: Uint8Array): string {
  if (bytes.length <= shownMax) return toHex0x(bytes)
  return `${toHex0x(bytes.subarray(0, shownMax))}… (${bytes.length} bytes)`
}

/** Bytes as a text of one line where they are one and short, otherwise as `excerptHex`. */
export function excerptText(bytes: Uint8Array): string {
  return bytes.length > shownMax ? excerptHex(bytes) : shownText(bytes)
}
