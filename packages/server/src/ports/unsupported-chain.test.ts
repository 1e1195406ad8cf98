import { expect, test } from 'vitest'
import { unsupportedChain } from './unsupported-chain.ts'

test.each([
  ['nowhere', 'No chain has the handle nowhere.'],
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
