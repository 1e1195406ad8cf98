import { expect, test } from 'vitest'
import { type Fees, lackOfFunds } from './refused-call.ts'

const ether = { symbol: 'ETH', decimals: 18 }
const said = (balance: bigint, needed: bigint, fees: Fees = 'included') =>
  lackOfFunds('smart account', { balance, needed, fees }, ether)?.message

test('a lack of funds names the fees only where the account pays them', () => {
  const account = 'Insufficient funds: the smart account has 0.5 ETH and'
  const half = 5n * 10n ** 17n
  expect(said(half, 2n * half)).toBe(`${account} this needs 1 ETH, fees included.`)
  expect(said(half, 2n * half, 'not included')).toBe(`${account} this needs 1 ETH, fees not included.`)
  expect(said(half, 2n * half, 'sponsored')).toBe(`${account} this sends 1 ETH. The fees are sponsored.`)
  expect(said(half, half)).toBeUndefined()
})

test.each([
  [0n, 1n, '0', '0.000000000000000001'],
  [1n, 2n, '0.000000000000000001', '0.000000000000000002'],
  [999_999_999_999n, 10n ** 15n, '0.000000999999999999', '0.001'],
  [10n ** 15n + 1n, 10n ** 15n + 2n, '0.001', '0.001001'],
  [123_456_789_012_345_678n, 223_456_789_012_345_678n, '0.123456', '0.223457'],
])(
  '%i of %i wei: small amounts are shown as they are, others to six decimals',
  (balance, needed, has, needs) => {
    expect(said(balance, needed)).toBe(
      `Insufficient funds: the smart account has ${has} ETH and this needs ${needs} ETH, fees included.`,
    )
  },
)
