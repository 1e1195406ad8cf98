import { invalidPayload } from './network-error.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** UTF-8 of a text; a lone surrogate is `invalid_payload`, since it has no encoding of its own. */
export function encodeUtf8(text: string): Uint8Array {
  if (!text.isWellFormed()) throw invalidPayload('The text holds a lone surrogate.')
  return encoder.encode(text)
}

/** The text of UTF-8 bytes, a byte order mark kept; malformed bytes are `undefined`. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
