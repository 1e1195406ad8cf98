import { invalidPayload } from '../network-error.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const shortMax = 64
const replacement = '\ufffd'

/** UTF-8 of a text; a lone surrogate is `invalid_payload`, since it has no encoding of its own. */
export function encodeUtf8(text: string): Uint8Array {
  if (text.length <= shortMax) {
    const bytes = shortAscii(text)
    if (bytes !== undefined) return bytes
  }
  if (!text.isWellFormed()) throw invalidPayload('The text holds a lone surrogate.')
  return encoder.encode(text)
}

/** A call of the encoder costs more than the bytes of a short text, of which some payloads have thousands. */
function shortAscii(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < bytes.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x80) return undefined
    bytes[at] = code
  }
  return bytes
}

/**
 * The text of UTF-8 bytes, a byte order mark kept; malformed bytes are `undefined`. A lenient decoder and a look for what
 * it replaced: a strict one throws, which costs more than all the rest of a preview.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const text = decoder.decode(bytes)
  return text.includes(replacement) && !isEncodingOf(text, bytes) ? undefined : text
}

/** Whether the replacement characters stand in the bytes themselves. */
function isEncodingOf(text: string, bytes: Uint8Array): boolean {
  const encoded = encoder.encode(text)
  return encoded.length === bytes.length && encoded.every((byte, i) => byte === bytes[i])
}
