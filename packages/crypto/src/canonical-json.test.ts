import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

test('the examples of RFC 8785: numbers, strings, and names in the order of their UTF-16 code units', () => {
  const input =
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}'
  expect(canonicalJson(JSON.parse(input))).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
  const names = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 }
  expect(canonicalJson(names).replaceAll(/[^:]*:(\d)/g, '$1')).toBe('2467153}')
})

test('one value has one form, whatever the order of its members', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(JSON.parse(JSON.stringify(value)))
      expect(canonicalJson(JSON.parse(text))).toBe(text)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('a value without a canonical form is refused; a member named __proto__ is a member like any other', () => {
  expect(() => canonicalJson({ '\ud800': 1 })).toThrow(TypeError)
  expect(() => canonicalJson(['\udfff'])).toThrow(TypeError)
  expect(canonicalJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}')
})
