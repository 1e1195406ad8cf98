import { toHex0x } from '../codec/hex.ts'
import { decodeUtf8 } from '../codec/utf8.ts'
import { plainText } from './plain-text.ts'

/** As much of a message as a title shows, in bytes. */
const shownMax = 96
const ellipsis = '…'

/** A one-line title that quotes a message: its text, or its hex when it is not plain text. */
export function messageTitle(message: Uint8Array): string {
  const isCut = message.length > shownMax
  const start = decodeUtf8(isCut ? wholeCharacters(message, shownMax) : message)
  const text = start === undefined ? undefined : plainText(start)
  if (text !== undefined) return `Sign message “${text}${isCut ? ellipsis : ''}”`
  return `Sign message ${toHex0x(message.subarray(0, shownMax / 2))}${message.length > shownMax / 2 ? ellipsis : ''}`
}

/** The longest start of at most `limit` bytes that does not cut a UTF-8 character. */
function wholeCharacters(message: Uint8Array, limit: number): Uint8Array {
  let end = limit
  while (end > limit - 4 && ((message[end] ?? 0) & 0xc0) === 0x80) end--
  return message.subarray(0, end)
}
