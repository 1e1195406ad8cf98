import { toHex0x } from '../codec/hex.ts'
import { decodeUtf8, encodeUtf8 } from '../codec/utf8.ts'
import { plainText } from './plain-text.ts'

const lengthMax = 1000

/** A text of a payload as a preview shows it, at most 1,000 characters: as it is, or in 0x hex where it hides something. */
export function shownText(text: Uint8Array | string): string {
  const decoded = typeof text === 'string' ? text : decodeUtf8(text)
  const plain = decoded === undefined ? undefined : plainText(decoded)
  const shown = plain ?? toHex0x(typeof text === 'string' ? encodeUtf8(text) : text)
  return shown.length > lengthMax ? `${shown.slice(0, lengthMax).toWellFormed()}…` : shown
}
