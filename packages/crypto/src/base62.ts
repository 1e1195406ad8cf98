const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Writes a big-endian number in base 62 (`0-9A-Za-z`, most significant first), left-padded with `0` to `length`
 * characters; what does not fit is a `RangeError`. Long division on bytes: no copy of the number in a BigInt.
 */
export function base62(bigEndian: Uint8Array, length: number): string {
  const digits = Uint8Array.from(bigEndian)
  let text = ''
  for (let place = 0; place < length; place++) {
    let remainder = 0
    for (let i = 0; i < digits.length; i++) {
      const value = remainder * 256 + (digits[i] ?? 0)
      digits[i] = value / 62
      remainder = value % 62
    }
    text = alphabet.charAt(remainder) + text
  }
  if (digits.some((digit) => digit !== 0)) throw new RangeError('The number does not fit.')
  return text
}

/** Says whether a UTF-16 code unit is one of the 62 letters and digits. */
export const isBase62 = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
