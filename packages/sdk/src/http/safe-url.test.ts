import { expect, test } from 'vitest'
import { safeUrl } from './safe-url.ts'

test.each(['', 'wallets.example.com', '/v1', 'undefined'])(
  'a base URL of %j is refused with a sentence that says what it must be',
  (text) => {
    expect(() => safeUrl(text)).toThrow(
      new TypeError('baseUrl must be the address of the platform, such as https://wallets.example.com'),
    )
  },
)

test.each([
  ['https://wallets.example.com/', 'https://wallets.example.com'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
])('credentials may go to %s', (text, url) => {
  expect(safeUrl(text)).toBe(url)
})

test('credentials never go over http to another machine', () => {
  expect(() => safeUrl('http://wallets.example.com')).toThrow(
    'baseUrl must be https (http for loopback only)',
  )
})
