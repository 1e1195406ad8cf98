import { expect, test } from 'vitest'
import { amountsOf, type Limits } from './amounts-of.ts'

const eth = (tenths: number) => `${tenths}00000000000000000`

const limits = {
  effective_policy: { max_spend_per_tx_native: eth(5), max_spend_total_native: eth(10) },
  spent: [{ asset: 'ETH', spent: eth(7), reserved: '0', remaining: eth(3) }],
  transactions: { count: 2, reserved: 1, max: 3 },
} as unknown as Limits

const attempt = (reason_code: string, value: string | null = eth(4), asset = 'ETH') => ({
  reason_code,
  value,
  asset,
})

test.each([
  [
    attempt('per_tx_cap_exceeded', eth(6)),
    'It would have sent 0.6 ETH at once; the cap for one transaction is 0.5 ETH now.',
  ],
  [
    attempt('org_per_tx_cap_exceeded', eth(6)),
    'It would have sent 0.6 ETH at once; the cap for one transaction is 0.5 ETH now.',
  ],
  [attempt('total_cap_exceeded'), 'It would have sent 0.4 ETH; of the budget of 1 ETH, 0.3 ETH is left now.'],
  [
    attempt('org_total_cap_exceeded'),
    'It would have sent 0.4 ETH; of the budget of 1 ETH, 0.3 ETH is left now.',
  ],
  // Each coin has the whole budget for itself.
  [
    attempt('total_cap_exceeded', eth(11), 'POL'),
    'It would have sent 1.1 POL; of the budget of 1 POL, 1 POL is left now.',
  ],
  [attempt('tx_count_exceeded', null), '3 of 3 transactions are used now.'],
  [attempt('recipient_not_allowed'), undefined],
  [attempt('total_cap_exceeded', null), undefined],
])('%o is told as %j', (event, told) => {
  expect(amountsOf(event, limits, { symbol: event.asset, decimals: 18 })).toBe(told)
})

test('a cap that is gone since is not told', () => {
  const free = {
    ...limits,
    effective_policy: { max_spend_per_tx_native: null, max_spend_total_native: null },
    transactions: { count: 3, reserved: 0, max: null },
  } as unknown as Limits
  for (const reason of ['per_tx_cap_exceeded', 'total_cap_exceeded', 'tx_count_exceeded'])
    expect(amountsOf(attempt(reason), free, undefined)).toBeUndefined()
})
