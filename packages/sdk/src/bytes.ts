/** Bytes as padded base64. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** The bytes of base64; throws `DOMException` on other text. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** Whether the text is whole bytes in hex with 0x. */
export function isHex(text: unknown): text is string {
  return typeof text === 'string' && /^0x(?:[0-9a-fA-F]{2})*$/.test(text)
}

/** The bytes of hex with 0x, which `isHex` has seen. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** Random bytes in hex, without 0x. */
export function randomHex(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether it is a `Uint8Array`, also one of another window. */
export const isBytes = (value: unknown): value is Uint8Array =>
  Object.prototype.toString.call(value) === '[object Uint8Array]'
