const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** Five digits at once: 58^5 is below 2^30, and times 2^16 below 2^53. */
const digitsAtOnce = 5
const chunk = 58 ** digitsAtOnce

/** The base58 of a 32-byte key, several times as fast as a general encoder: a preview shows dozens of them. */
export function addressOf(key: Uint8Array): string {
  const words = new Uint32Array(16)
  for (let index = 0; index < 16; index++) {
    words[index] = ((key[2 * index] ?? 0) << 8) | (key[2 * index + 1] ?? 0)
  }
  // The digits from the last to the first.
  const digits: number[] = []
  for (let start = 0; start < 16; ) {
    let rest = 0
    for (let index = start; index < 16; index++) {
      const value = rest * 0x10000 + (words[index] ?? 0)
      const quotient = Math.floor(value / chunk)
      words[index] = quotient
      rest = value - quotient * chunk
    }
    while (start < 16 && words[start] === 0) start++
    for (let digit = 0; digit < digitsAtOnce; digit++) {
      digits.push(rest % 58)
      rest = (rest / 58) | 0
    }
  }
  while (digits.at(-1) === 0) digits.pop()
  for (let index = 0; index < key.length && key[index] === 0; index++) digits.push(0)
  let text = ''
  for (let index = digits.length - 1; index >= 0; index--) text += alphabet[digits[index] ?? 0]
  return text
}
