import { vectorJson } from '@symbolon/networks/testing/vectors'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJsonBody } from './json-body.ts'

const parse = (text: string) => parseJsonBody(Buffer.from(text))
const refusal = expect.objectContaining({ name: 'ApiError', code: 'invalid_request' })

describe('a request body', () => {
  test('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        const isDangerous = /"__proto__"|"constructor"/.test(text)
        if (!isDangerous) expect(parse(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  test('nests at most 32 levels; brackets in strings do not count', () => {
    const nested = (levels: number, inner = '') => `${'['.repeat(levels)}${inner}${']'.repeat(levels)}`
    expect(() => parse(nested(32))).not.toThrow()
    expect(() => parse(nested(33))).toThrow(refusal)
    const brackets = JSON.stringify(`${'[{'.repeat(50)}"\\"${'['.repeat(50)}`)
    expect(() => parse(nested(31, `${brackets},[],${brackets}`))).not.toThrow()
    expect(() => parse(nested(32, `${brackets},[]`))).toThrow(refusal)
    // Broad is not deep.
    expect(() => parse(`[${'[],'.repeat(1_000)}[]]`)).not.toThrow()
  })

  test('has at most 16,384 values; commas in strings do not count', () => {
    const list = (count: number, value = '0') => `[${Array(count).fill(value).join(',')}]`
    expect(() => parse(list(16_383))).not.toThrow()
    expect(() => parse(list(16_384))).toThrow(refusal)
    expect(() => parse(list(8_191, '{}'))).not.toThrow()
    expect(() => parse(list(8_192, '{}'))).toThrow(refusal)
    expect(() => parse(list(10, JSON.stringify(',[{'.repeat(5_000))))).not.toThrow()
  })

  test.each([
    '{"__proto__":1}',
    '{"a":{"constructor":1}}',
    '[[{"\\u005f\\u005fproto__":1}]]',
    '{"constructo\\u0072":1}',
  ])('%s is refused for its key', (text) => {
    expect(() => parse(text)).toThrow(refusal)
  })

  test('may say these words as values', () => {
    expect(parse('{"a":"__proto__","b":["constructor","\\u005f"]}')).toEqual({
      a: '__proto__',
      b: ['constructor', '_'],
    })
  })

  test.each([
    [[0xff]],
    [[0x22, 0xc0, 0xaf, 0x22]],
    [[0x22, 0xed, 0xa0, 0x80, 0x22]],
    [[0xef, 0xbb, 0xbf, 0x7b, 0x7d]],
    [[0x22, 0x00, 0x22]],
  ])('bytes %j are refused', (bytes) => {
    expect(() => parseJsonBody(Buffer.from(bytes))).toThrow(refusal)
  })

  test('of the JSON test suite is read or refused as its name says', () => {
    const vectors = vectorJson<Record<string, string>>('hostile/jsontestsuite_parsing_b64.json') ?? {}
    for (const [name, base64] of Object.entries(vectors)) {
      const read = () => parseJsonBody(Buffer.from(base64, 'base64'))
      if (name.startsWith('n_')) expect(read, name).toThrow(refusal)
      else if (name.startsWith('y_')) expect(read, name).not.toThrow()
      else expect(() => ignoringRefusal(read), name).not.toThrow()
    }
  })
})

function ignoringRefusal(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    expect(error).toEqual(refusal)
  }
}
