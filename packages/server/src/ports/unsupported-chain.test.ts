import { expect, test } from 'vitest'
import { requestedChain, unsupportedChain } from './unsupported-chain.ts'

test.each([
  ['nowhere', 'No chain has the handle nowhere.'],
  ['Base', 'No chain has the handle Base.'],
  ['eip155:8453', 'No chain has the handle eip155:8453.'],
  [`sk_live_${'a'.repeat(49)}`, 'No chain has this handle.'],
  ['Call 0800!', 'No chain has this handle.'],
  ['x'.repeat(65), 'No chain has this handle.'],
  ['solana', 'This works on EVM chains only; solana is not one.'],
  ['base', 'This installation has no node for base.'],
])('%s is refused: %s', (handle, sentence) => {
  expect(unsupportedChain(handle, ['evm'])).toBe(sentence)
})

test('a network that is not enabled is said before what the installation lacks', () => {
  expect(unsupportedChain('base', ['bitcoin'])).toBe('The organization has not enabled evm.')
  expect(unsupportedChain('base', ['evm'], 'bundler')).toBe('This installation has no bundler for base.')
})

test('a request to sign names the chain that does not exist, and has its own or the default one', () => {
  const asking = (chain?: string) => () =>
    requestedChain({ type: 'message', message: 'x', ...(chain !== undefined && { chain }) }, 'secp256k1')
  expect(asking('nowhere')).toThrow(
    expect.objectContaining({ code: 'chain_unsupported', message: 'No chain has the handle nowhere.' }),
  )
  expect(asking('base')().handle).toBe('base')
  expect(asking()().curve).toBe('secp256k1')
})
