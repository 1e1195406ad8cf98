import { expect, test } from 'vitest'
import { safeUrl } from './safe-url.ts'

const wanted =
  'baseUrl must be the address of the platform, with https:// (http:// on loopback), such as https://wallets.example.com or http://127.0.0.1:8080'

test.each([
  'wallets.example.com',
  '/v1',
  'undefined',
  '127.0.0.1:18280',
  'localhost:8080',
  'ftp://w.example',
  'https://a:b@w.example',
])('a base URL of %j is refused with a sentence that says what it must be', (text) => {
  expect(() => safeUrl(text)).toThrow(new TypeError(wanted))
})

test.each([
  ['', 'is empty: is the environment variable set?'],
  ['"https://wallets.example.com"', 'has quotes, spaces or line breaks in it: remove that'],
])('a base URL of %j is refused with what is wrong with it', (text, flaw) => {
  expect(() => safeUrl(text)).toThrow(new TypeError(`${wanted}, and ${flaw}`))
})

test.each(['https://wallets.example.com/v1', 'http://127.0.0.1:8080/v1/'])(
  'a base URL of %s would be called at /v1/v1',
  (text) => {
    expect(() => safeUrl(text)).toThrow('baseUrl must not end in /v1: the SDK adds it')
  },
)

test.each(['https://wallets.example.com?a=1', 'https://wallets.example.com/?', 'http://127.0.0.1:8080/#/'])(
  'a base URL of %s has no place for the path of a call',
  (text) => {
    expect(() => safeUrl(text)).toThrow('baseUrl must end before ? or #')
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
