import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { drawCode } from './draw-code.ts'

test('every digit of a code is equally likely at every place', () => {
  const counts = Array.from({ length: 6 }, () => new Array<number>(10).fill(0))
  const draws = 60_000
  for (let i = 0; i < draws; i++) {
    const code = drawCode((length) => randomBytes(length))
    expect(code).toMatch(/^[0-9]{6}$/)
    for (const [place, digits] of counts.entries()) {
      const digit = Number(code[place])
      digits[digit] = (digits[digit] ?? 0) + 1
    }
  }
  for (const digits of counts) {
    const chiSquare = digits.reduce((sum, count) => sum + (count - draws / 10) ** 2 / (draws / 10), 0)
    // Nine degrees of freedom: above 45 once in a million runs.
    expect(chiSquare).toBeLessThan(45)
  }
})

test('numbers that would favour the low codes are drawn again', () => {
  const draws = [
    Buffer.from('ffffffff', 'hex'),
    Buffer.from('fff13d80', 'hex'),
    Buffer.from('000f423f', 'hex'),
  ]
  expect(drawCode(() => draws.shift() ?? new Uint8Array(4))).toBe('999999')
  expect(draws).toHaveLength(0)
})
