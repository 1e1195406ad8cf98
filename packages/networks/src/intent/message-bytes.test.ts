import { describe, expect, test } from 'vitest'
import { messageBytes } from './message-bytes.ts'

describe('message bytes', () => {
  test('each encoding gives its bytes', () => {
    expect(messageBytes('é', 'utf8')).toEqual(Uint8Array.of(0xc3, 0xa9))
    expect(messageBytes('0x00fFaB', 'hex')).toEqual(Uint8Array.of(0, 255, 171))
    expect(messageBytes('AP8=', 'base64')).toEqual(Uint8Array.of(0, 255))
    expect(messageBytes('', 'utf8')).toEqual(new Uint8Array(0))
  })

  test.each([
    ['hex', '00'],
    ['hex', '0x0'],
    ['hex', '0xzz'],
    ['hex', '0x00\n'],
    ['base64', 'AP8'],
    ['base64', 'AP9='],
    ['base64', 'A-_='],
    ['base64', 'AP8=\n'],
  ] as const)('%s of %j is refused', (encoding, text) => {
    expect(() => messageBytes(text, encoding)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })

  test('a lone surrogate is refused as a payload', () => {
    expect(() => messageBytes('a\ud800', 'utf8')).toThrow(
      expect.objectContaining({ code: 'invalid_payload' }),
    )
  })
})
