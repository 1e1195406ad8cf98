import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { fromHex, fromHex0x, toHex, toHex0x } from './hex.ts'

afterEach(() => vi.unstubAllGlobals())

test.each(['Node', 'a browser'])('bytes come back from their hex in %s', (where) => {
  const samples = fc.sample(fc.uint8Array({ maxLength: 100 }), 100)
  if (where === 'a browser') vi.stubGlobal('Buffer', undefined)
  for (const bytes of samples) {
    expect(fromHex(toHex(bytes))).toStrictEqual(bytes)
    expect(fromHex0x(toHex0x(bytes).toUpperCase().replace('X', 'x'))).toStrictEqual(bytes)
  }
})

test('an odd number of digits, mixed case or other characters are not hex', () => {
  for (const text of ['a', 'zz', 'aB', '0x', 'ａａ']) expect(fromHex(text)).toBeUndefined()
  expect(fromHex('aB', true)).toEqual(Uint8Array.of(0xab))
  expect(fromHex0x('ab')).toBeUndefined()
})
