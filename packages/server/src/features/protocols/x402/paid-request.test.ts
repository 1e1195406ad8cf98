import { issueWords, namedIssues, validationDetails } from '@symbolon/api'
import { expect, test } from 'vitest'
import { outboundOf, PaidRequest } from './paid-request.ts'

const url = 'https://seller.example/order'
const refusal = (more: object): string | undefined => {
  const { error } = PaidRequest.safeParse({ url, ...more }, { error: issueWords })
  return error && JSON.stringify(namedIssues(validationDetails(error)))
}

test('headers of the payment, the connection and the login of a browser cannot be set, however they are spelled', () => {
  for (const name of [
    'Host',
    'COOKIE',
    'Proxy-Authorization',
    'proxy-connection',
    'Connection',
    'Transfer-Encoding',
    'Content-Length',
    'Upgrade',
    'TE',
    'Trailer',
    'Expect',
    'Keep-Alive',
    'keep_alive',
    'HTTP2-Settings',
    'X-Payment',
    'x-payment-response',
    'X_PAYMENT',
    'Payment-Signature',
    'payment_signature',
  ])
    expect(refusal({ headers: { [name]: '1' } }), name).toMatch(/must not set/)
  for (const name of ['Authorization', 'X-Api-Key', 'Idempotency-Key', 'X-Paymen', 'Set-Cookie'])
    expect(refusal({ headers: { [name]: '1' } }), name).toBe(undefined)
})

test('headers break no line, are bounded in number and length, and are set once', () => {
  for (const text of ['a\rb', 'a\nb', 'a\r\nX-Payment: x', 'a\0b', 'é'])
    expect(refusal({ headers: { 'X-Key': text } })).toMatch(/printable ASCII/)
  for (const name of ['X Key', 'X-Key:', 'X\r\nKey', '', 'x'.repeat(65)])
    expect(refusal({ headers: { [name]: '1' } }), name).toMatch(/names of HTTP headers/)
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, '1']))
  expect(refusal({ headers: many(32) })).toBe(undefined)
  expect(refusal({ headers: many(33) })).toMatch(/at most 32 headers/)
  expect(refusal({ headers: { a: 'x'.repeat(8_191) } })).toBe(undefined)
  expect(refusal({ headers: { a: 'x'.repeat(8_192) } })).toMatch(/at most 8192 bytes/)
  expect(refusal({ headers: { 'X-Key': '1', 'x-key': '2' } })).toMatch(/once/)
})

test('a body has at most 64 KiB of text, and a refusal repeats neither header nor body', () => {
  expect(refusal({ body: 'x'.repeat(64 << 10) })).toBe(undefined)
  expect(refusal({ body: `${'x'.repeat((64 << 10) - 1)}é` })).toMatch(/at most 64 KiB/)
  for (const text of ['a\0b', 'a\ud800b']) expect(refusal({ body: text })).toMatch(/without U\+0000/)
  const planted = refusal({ headers: { 'X-Key': 'planted\n' }, body: 'planted\0', method: 'planted' })
  expect(planted).toMatch(/method/)
  expect(planted).not.toContain('planted')
})

test('a request is a GET of anything unless it says otherwise, and a body is JSON where it reads as such', () => {
  expect(outboundOf({ url })).toEqual({ url, method: 'GET', headers: { accept: '*/*' } })
  const typeOf = (body: string, headers = {}) =>
    outboundOf({ url, method: 'POST', headers, body }).headers['content-type']
  expect(typeOf('{"a":1}')).toBe('application/json')
  expect(typeOf('a=1')).toBe('text/plain; charset=utf-8')
  expect(typeOf('a=1', { 'Content-Type': 'application/x-www-form-urlencoded' })).toBe(
    'application/x-www-form-urlencoded',
  )
})
