import { expect, test } from 'vitest'
import { amountsOf, type Limits } from './amounts-of.ts'

const eth = (tenths: number) => `${tenths}00000000000000000`

const limits = {
  effective_policy: { max_spend_per_tx_native: eth(5), max_spend_total_native: eth(10) },
  spent: [{ asset: 'ETH', spent: eth(7), reserved: '0', remaining: eth(3) }],
  transactions: { count: 2, reserved: 1, max: 3 },
} as unknown as Limits

const refusal = (reason_code: string, value: string | null = eth(4), asset = 'ETH') => ({
  reason_code,
  value,
  asset,
})

test.each([
  [
    refusal('per_tx_cap_exceeded', eth(6)),
    'It would have sent 0.6 ETH; the limit per transaction is now 0.5 ETH.',
  ],
  [
    refusal('org_per_tx_cap_exceeded', eth(6)),
    'It would have sent 0.6 ETH; the limit per transaction is now 0.5 ETH.',
  ],
  [refusal('total_cap_exceeded'), 'It would have sent 0.4 ETH; 0.3 ETH of the 1 ETH budget is left now.'],
  [refusal('org_total_cap_exceeded'), 'It would have sent 0.4 ETH; 0.3 ETH of the 1 ETH budget is left now.'],
  // Each coin has the whole budget for itself.
  [
    refusal('total_cap_exceeded', eth(11), 'POL'),
    'It would have sent 1.1 POL; 1 POL of the 1 POL budget is left now.',
  ],
  [refusal('tx_count_exceeded', null), '3 of 3 transactions are used now.'],
  [refusal('recipient_not_allowed'), undefined],
  [refusal('total_cap_exceeded', null), undefined],
])('%o is explained as %j', (event, text) => {
  expect(amountsOf(event, limits, { symbol: event.asset, decimals: 18 })).toBe(text)
})

test('a cap that has been removed since is not mentioned', () => {
  const free = {
    ...limits,
    effective_policy: { max_spend_per_tx_native: null, max_spend_total_native: null },
    transactions: { count: 3, reserved: 0, max: null },
  } as unknown as Limits
  for (const reason of ['per_tx_cap_exceeded', 'total_cap_exceeded', 'tx_count_exceeded'])
    expect(amountsOf(refusal(reason), free, undefined)).toBeUndefined()
})
