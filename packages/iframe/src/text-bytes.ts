/** The UTF-8 bytes of a text of our own. */
export function utf8Bytes(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text))
}
