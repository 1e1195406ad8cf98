import type { Random } from '../../ports/random.ts'

const codes = 1_000_000
// The largest multiple of 10^6 in 32 bits: numbers above it would make the low codes likelier.
const numbersEnd = Math.floor(2 ** 32 / codes) * codes

/** Draws a code of six digits, every one equally likely. */
export function drawCode(random: Random): string {
  for (;;) {
    const bytes = random(4)
    const number = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0)
    if (number < numbersEnd) return String(number % codes).padStart(6, '0')
  }
}
