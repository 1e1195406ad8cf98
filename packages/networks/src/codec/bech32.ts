const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
/** The value of each character, by its code; 255 is none. */
const values = new Uint8Array(128).fill(255)
for (let value = 0; value < alphabet.length; value++) values[alphabet.charCodeAt(value)] = value

/** What the checksum comes to: bech32 (BIP-173) and bech32m (BIP-350). */
const constants = { bech32: 1, bech32m: 0x2bc830a3 } as const

/** The feedback of the five bits that leave the checksum. */
const feedback = Int32Array.from({ length: 32 }, (_, top) =>
  [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].reduce(
    (sum, generator, bit) => ((top >> bit) & 1 ? sum ^ generator : sum),
    0,
  ),
)

/** Lower-case bech32 of bytes, behind values of five bits (a witness version) where there are some. */
export function toBech32(
  prefix: string,
  bytes: Uint8Array,
  values: readonly number[] = [],
  form: keyof typeof constants = 'bech32',
): string {
  const words = [...values, ...regroup(bytes, 8, 5)]
  const sum = checksum(prefix, [...words, 0, 0, 0, 0, 0, 0]) ^ constants[form]
  for (let shift = 25; shift >= 0; shift -= 5) words.push((sum >> shift) & 31)
  let text = `${prefix}1`
  for (const word of words) text += alphabet.charAt(word)
  return text
}

/** The bytes of lower-case bech32 with that prefix in its only spelling, or `undefined` for anything else. */
export function fromBech32(prefix: string, text: string): Uint8Array | undefined {
  const words = checkedWords(prefix, text, 'bech32')
  if (words === undefined) return undefined
  const data = words.slice(0, -6)
  const bytes = regroup(data, 5, 8)
  // The bits left over make no byte: fewer than five, and all zero.
  const left = (data.length * 5) % 8
  if (left > 0 && bytes.pop() !== 0) return undefined
  return left < 5 ? Uint8Array.from(bytes) : undefined
}

/** Whether a text is lower-case bech32 of that prefix and form, whatever it stands for. */
export function isBech32(prefix: string, text: string, form: keyof typeof constants = 'bech32'): boolean {
  return checkedWords(prefix, text, form) !== undefined
}

/** Whether a text is `isBech32` of either form. */
export function isAnyBech32(prefix: string, text: string): boolean {
  const words = wordsOf(prefix, text)
  if (words === undefined) return false
  const sum = checksum(prefix, words)
  return sum === constants.bech32 || sum === constants.bech32m
}

/** The values of a text, checksum included, or `undefined` where prefix, alphabet or checksum are others. */
function checkedWords(prefix: string, text: string, form: keyof typeof constants): Uint8Array | undefined {
  const words = wordsOf(prefix, text)
  return words !== undefined && checksum(prefix, words) === constants[form] ? words : undefined
}

/** The values of a text, checksum included and not yet compared, or `undefined` where prefix or alphabet are others. */
function wordsOf(prefix: string, text: string): Uint8Array | undefined {
  const start = prefix.length + 1
  if (text.length < start + 6 || !text.startsWith(prefix) || text[prefix.length] !== '1') return undefined
  const words = new Uint8Array(text.length - start)
  for (let index = 0; index < words.length; index++) {
    const value = values[text.charCodeAt(start + index)] ?? 255
    if (value === 255) return undefined
    words[index] = value
  }
  return words
}

/** The same bits in groups of another size, the last filled up with zeros. */
function regroup(groups: ArrayLike<number>, from: number, to: number): number[] {
  const regrouped: number[] = []
  let bits = 0
  let left = 0
  for (let index = 0; index < groups.length; index++) {
    bits = ((bits << from) | (groups[index] ?? 0)) & 0xfff
    left += from
    for (; left >= to; left -= to) regrouped.push((bits >> (left - to)) & (2 ** to - 1))
  }
  if (left > 0) regrouped.push((bits << (to - left)) & (2 ** to - 1))
  return regrouped
}

function checksum(prefix: string, words: ArrayLike<number>): number {
  let sum = 1
  for (let index = 0; index < prefix.length; index++) sum = sumWith(sum, prefix.charCodeAt(index) >> 5)
  sum = sumWith(sum, 0)
  for (let index = 0; index < prefix.length; index++) sum = sumWith(sum, prefix.charCodeAt(index) & 31)
  for (let index = 0; index < words.length; index++) sum = sumWith(sum, words[index] ?? 0)
  return sum
}

const sumWith = (sum: number, value: number) => ((sum & 0x1ffffff) << 5) ^ value ^ (feedback[sum >> 25] ?? 0)
