/** One array of all parts in order. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return join(parts)
}

/** One array of all parts in order, where there may be more of them than a call takes arguments. */
export function join(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const part of parts) length += part.length
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}
