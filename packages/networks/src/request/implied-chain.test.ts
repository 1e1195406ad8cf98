import { expect, test } from 'vitest'
import { impliedChain } from './implied-chain.ts'

const typed = (domain: unknown) => impliedChain({ type: 'typed_data', typed_data: { domain } })?.handle

test('typed data is for the chain of its domain, in each form that a number has', () => {
  for (const chainId of [8453, '8453', '0x2105']) expect(typed({ chainId })).toBe('base')
  expect(typed({ chainId: 1 })).toBe('ethereum')
})

test('data that names none of our EVM chains implies no chain', () => {
  // 728126428 is Tron's; the others are not numbers, or not a chain's.
  for (const chainId of [728_126_428, 424_242, '08453', 8453.5, null, [8453], undefined])
    expect(typed({ chainId })).toBeUndefined()
  for (const domain of [undefined, null, 'base', []]) expect(typed(domain)).toBeUndefined()
  expect(impliedChain({ type: 'typed_data', typed_data: null })).toBeUndefined()
  expect(impliedChain({ type: 'message', message: '{"domain":{"chainId":8453}}' })).toBeUndefined()
})
