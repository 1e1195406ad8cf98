const digits = /^(?:[0-9a-f]{2})*$|^(?:[0-9A-F]{2})*$/
const mixedDigits = /^(?:[0-9a-fA-F]{2})*$/

/** Lower-case hex without a prefix; takes Node's native encoder where there is one. */
export function toHex(bytes: Uint8Array): string {
  if (typeof Buffer !== 'undefined') {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
  }
  let text = ''
  for (const byte of bytes) text += (byte + 256).toString(16).slice(1)
  return text
}

/** A text of hex digits behind `0x`; what else it promises (length, case) its use says. */
export type Hex = `0x${string}`

/** Lower-case hex with `0x`. */
export function toHex0x(bytes: Uint8Array): Hex {
  return `0x${toHex(bytes)}`
}

/**
 * Bytes of hex digits without a prefix (one case throughout unless `mixed`), or `undefined` if malformed; takes Node's
 * native decoder where there is one.
 */
export function fromHex(text: string, mixed = false): Uint8Array | undefined {
  if (!(mixed ? mixedDigits : digits).test(text)) return undefined
  if (typeof Buffer !== 'undefined') return new Uint8Array(Buffer.from(text, 'hex'))
  const bytes = new Uint8Array(text.length >> 1)
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = (digitAt(text, 2 * index) << 4) | digitAt(text, 2 * index + 1)
  }
  return bytes
}

/** Bytes of `0x` hex (one case throughout unless `mixed`), or `undefined` if malformed. */
export function fromHex0x(text: string, mixed = false): Uint8Array | undefined {
  return text.startsWith('0x') ? fromHex(text.slice(2), mixed) : undefined
}

function digitAt(text: string, index: number): number {
  const code = text.charCodeAt(index)
  return code <= 57 ? code - 48 : (code | 32) - 87
}
