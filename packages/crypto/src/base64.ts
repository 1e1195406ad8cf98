/** The bytes of padded base64 (RFC 4648 section 4) in its only spelling, or undefined. */
export function base64Bytes(text: unknown): Uint8Array | undefined {
  return typeof text === 'string' ? decoded(text, (bytes) => btoa(binary(bytes)) === text) : undefined
}

/** The bytes of base64url without padding (RFC 4648 section 5) in its only spelling, or undefined. */
export function base64UrlBytes(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string' || /[^A-Za-z0-9_-]/.test(text)) return undefined
  return decoded(text.replaceAll('-', '+').replaceAll('_', '/'), (bytes) => toBase64Url(bytes) === text)
}

/** Bytes as base64url without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(binary(bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

const binary = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')

function decoded(text: string, isSame: (bytes: Uint8Array) => boolean): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    // White space, missing padding and bits that count for nothing are taken by atob.
    return isSame(bytes) ? bytes : undefined
  } catch {
    return undefined
  }
}
