import { fromBase64, toBase64 } from '../bytes.ts'

/** Whether both have the same bytes. */
export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

/** The bytes of padded base64 in its one canonical form, `length` of them; undefined for anything else. */
export function exactBase64(text: unknown, length: number): Uint8Array<ArrayBuffer> | undefined {
  if (typeof text !== 'string' || text.length !== 4 * Math.ceil(length / 3)) return undefined
  try {
    const bytes = fromBase64(text)
    return bytes.length === length && toBase64(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}
