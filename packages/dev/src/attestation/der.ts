/** One DER element of X.690: tag, length, content. */
export function der(tag: number, ...content: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(content)
  if (body.length < 0x80) return Buffer.concat([Uint8Array.of(tag, body.length), body])
  const length = body.length < 0x100 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Uint8Array.of(tag, ...length), body])
}

/** SEQUENCE. */
export const sequence = (...content: readonly Uint8Array[]): Uint8Array => der(0x30, ...content)

/** OBJECT IDENTIFIER from its dotted form. */
export function objectIdentifier(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const part of rest) {
    const digits = [part & 0x7f]
    for (let left = part >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80)
    bytes.push(...digits)
  }
  return der(0x06, Uint8Array.from(bytes))
}

/** INTEGER of a small non-negative number. */
export const smallInteger = (value: number): Uint8Array => der(0x02, Uint8Array.of(value))

/** BOOLEAN TRUE. */
export const yes: Uint8Array = Uint8Array.of(0x01, 0x01, 0xff)

/** BIT STRING of whole bytes, or with `unused` low bits in the last one. */
export const bitString = (bytes: Uint8Array, unused = 0): Uint8Array =>
  der(0x03, Uint8Array.of(unused), bytes)

/** GeneralizedTime (after 2049 certificates must use it, and RFC 5280 readers take it before) in UTC, whole seconds. */
export function certificateTime(ms: number): Uint8Array {
  const digits = new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14)
  return digits < '2050'
    ? der(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : der(0x18, Buffer.from(`${digits}Z`))
}
