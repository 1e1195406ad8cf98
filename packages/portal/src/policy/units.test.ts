import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  amountText,
  briefAmount,
  type Chain,
  exampleChain,
  smallestText,
  unitOf,
  unitOfSymbol,
  wholeText,
} from './units.ts'

const ether = { symbol: 'ETH', decimals: 18 }
const chain = (handle: string, symbol: string, decimals: number) =>
  ({ handle, native_asset: { symbol, decimals } }) as Chain

test('an amount that is shown in whole coins and typed again is the same to the last unit', () => {
  const amounts = fc.bigInt({ min: 0n, max: 10n ** 77n })
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 24 }), (amount, decimals) => {
      const text = wholeText(String(amount), decimals)
      fc.pre(text.split('.')[0] !== undefined && (text.split('.')[0] ?? '').length <= 60)
      expect(smallestText(text, decimals)).toBe(String(amount))
    }),
  )
})

test.each([
  ['0.05', 18, '50000000000000000'],
  ['5.', 6, '5000000'],
  ['007', 0, '7'],
  ['0.0000001', 6, undefined],
  ['1,5', 18, undefined],
  ['1e3', 18, undefined],
  ['-1', 18, undefined],
  ['.5', 18, undefined],
  ['', 18, undefined],
])('%j with %i decimals is %j in the smallest unit', (text, decimals, expected) => {
  expect(smallestText(text, decimals)).toBe(expected)
})

test('amounts are shown exactly, and shorter ones say what they leave out', () => {
  expect(amountText('1234500000000000000000', ether)).toBe('1,234.5 ETH')
  expect(amountText('1234567', undefined)).toBe('1,234,567')
  expect(briefAmount('333333333333333333', ether)).toBe('0.333333… ETH')
  expect(briefAmount('250000000000000000', ether)).toBe('0.25 ETH')
})

test.each([
  ['1', ether, '1e-18 ETH'],
  ['123456789', ether, '1.234…e-10 ETH'],
  ['999999999999', ether, '9.999…e-7 ETH'],
  ['1000000000000', ether, '0.000001 ETH'],
  ['0', ether, '0 ETH'],
  [String(2n ** 256n - 1n), ether, '1.157…e59 ETH'],
  [String(2n ** 256n - 1n), undefined, '1.157…e77'],
  ['123456789012345', undefined, '123,456,789,012,345'],
])('in a narrow place %s is never nothing, nor longer than it: %j, %s', (smallest, unit, expected) => {
  expect(briefAmount(smallest, unit)).toBe(expected)
})

test('examples name a chain that is reached: the local one, else the first with a node, else a test chain', () => {
  const evm = (handle: string, rpc: boolean) =>
    ({ ...chain(handle, 'ETH', 18), network: 'evm', rpc }) as Chain
  const solana = { ...chain('solana', 'SOL', 9), network: 'solana', rpc: true } as Chain
  const named = (...chains: Chain[]) => exampleChain(chains).handle
  expect(named(solana, evm('base', false), evm('ethereum', true), evm('local', true))).toBe('local')
  expect(named(solana, evm('base', false), evm('ethereum', true), evm('local', false))).toBe('ethereum')
  expect(named(solana, evm('base', false), evm('base-sepolia', false))).toBe('base-sepolia')
  expect(named(solana, evm('base', false))).toBe('base')
  expect(named()).toBe('local')
})

test('there is one unit only where all chains that are meant count alike', () => {
  const chains = [chain('base', 'ETH', 18), chain('ethereum', 'ETH', 18), chain('near', 'NEAR', 24)]
  expect(unitOf(chains, ['base', 'ethereum'])).toEqual(ether)
  expect(unitOf(chains, ['base', 'near'])).toBeUndefined()
  expect(unitOf(chains, ['base', 'elsewhere'])).toBeUndefined()
  expect(unitOf(chains, [])).toBeUndefined()
  expect(unitOf(chains, undefined)).toBeUndefined()
  expect(unitOfSymbol([...chains, chain('odd', 'ETH', 9)], 'ETH')).toBeUndefined()
})
