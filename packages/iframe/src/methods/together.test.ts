import type { SignPreview } from '@symbolon/networks/browser'
import { expect, test } from 'vitest'
import { together } from './together.ts'

const one: SignPreview = {
  title: 'Send 1 APT',
  chain: 'aptos',
  from: '0xa',
  actions: [],
  fee: { asset: 'APT', amount: '5' },
  warnings: ['first'],
  expires_at: null,
}

test('the fee of several transactions is that of all whose fee the wallet pays, whichever comes first', () => {
  expect(together([one, one]).fee).toEqual({ asset: 'APT', amount: '10' })
  expect(together([{ ...one, fee: null }, one]).fee).toEqual({ asset: 'APT', amount: '5' })
  expect(together([{ ...one, fee: null }]).fee).toBeNull()
})

test.each([
  ['another sender', { ...one, from: '0xb' }],
  ['a fee in another asset', { ...one, fee: { asset: 'USDC', amount: '5' } }],
])('a transaction with %s is not shown with the others', (_, other) => {
  expect(() => together([one, other])).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
})
