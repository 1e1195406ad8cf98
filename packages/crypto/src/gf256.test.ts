import { expect, test } from 'vitest'
import { invert, multiply } from './gf256.ts'

test('the constant-time product equals the table product for all 65,536 pairs', () => {
  // Tables of powers of the generator x + 1, built without `multiply`.
  const powers: number[] = []
  const logarithms: number[] = []
  let value = 1
  for (let exponent = 0; exponent < 255; exponent++) {
    powers.push(value)
    logarithms[value] = exponent
    value ^= value << 1
    if (value > 255) value ^= 0x11b
  }
  const byTable = (a: number, b: number) =>
    a === 0 || b === 0 ? 0 : powers[((logarithms[a] ?? 0) + (logarithms[b] ?? 0)) % 255]
  let wrong = 0
  for (let a = 0; a < 256; a++) for (let b = 0; b < 256; b++) if (multiply(a, b) !== byTable(a, b)) wrong++
  expect(wrong).toBe(0)
})

test('the products of FIPS 197 section 4.2 come out', () => {
  expect(multiply(0x57, 0x83)).toBe(0xc1)
  expect(multiply(0x57, 0x13)).toBe(0xfe)
})

test('every number but 0 times its inverse is 1', () => {
  expect(invert(0)).toBe(0)
  for (let a = 1; a < 256; a++) expect(multiply(a, invert(a))).toBe(1)
})
