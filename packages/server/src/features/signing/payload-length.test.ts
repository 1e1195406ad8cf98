import { SignRequest } from '@symbolon/api'
import { expect, test } from 'vitest'
import { payloadLength } from './payload-length.ts'

const lengthOf = (request: object) => payloadLength(SignRequest.parse(request))

test('only what is certainly decoded soon counts as short', () => {
  const short = 1_024
  expect(lengthOf({ type: 'message', message: 'hello' })).toBeLessThan(short)
  expect(lengthOf({ type: 'hash', hash: `0x${'11'.repeat(32)}` })).toBeLessThan(short)
  expect(lengthOf({ type: 'message', message: 'x'.repeat(1_000) })).toBeGreaterThan(short)
  expect(lengthOf({ type: 'transaction', chain: 'base', transaction: `0x${'02'.repeat(100)}` })).toBe(202)
  const typed = { domain: {}, types: { Root: [] }, primaryType: 'Root', message: {} }
  expect(lengthOf({ type: 'typed_data', typed_data: typed })).toBeGreaterThan(short)
  const transaction = { nonce: '0x0', gas_limit: '0x1', gas_price: '0x1' }
  expect(lengthOf({ type: 'transaction', chain: 'base', transaction })).toBeGreaterThan(short)
})
