import { expect, test } from 'vitest'
import { unsupportedChain } from './unsupported-chain.ts'

test.each([
  ['nowhere', 'Chain nowhere not found.'],
  ['Call 0800!', 'Chain not found.'],
  ['x'.repeat(65), 'Chain not found.'],
  ['solana', 'This works on EVM chains only; solana is not one.'],
  ['base', 'This installation has no node for base.'],
])('%s is refused: %s', (handle, sentence) => {
  expect(unsupportedChain(handle, ['evm'])).toBe(sentence)
})

test('a network that is not enabled is said before what the installation lacks', () => {
  expect(unsupportedChain('base', ['bitcoin'])).toBe('The organization has not enabled evm.')
  expect(unsupportedChain('base', ['evm'], 'bundler')).toBe('This installation has no bundler for base.')
})
