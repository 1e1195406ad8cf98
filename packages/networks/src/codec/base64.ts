/** Padded base64 (RFC 4648, 4). */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** The bytes of padded base64 in its only spelling, or `undefined` if malformed. */
export function fromBase64(text: string): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    // White space, no padding and bits that count for nothing are taken by atob.
    return toBase64(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}
