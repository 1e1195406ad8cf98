import { expect, test } from 'vitest'
import { settlementIn } from './shown-payment.ts'

const answer = (settlement: string) => ({
  status: 200,
  headers: { 'x-payment-response': Buffer.from(settlement).toString('base64') },
  body: Buffer.from('paid'),
})
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

test('a settlement is shown as the seller reports it, unless it is nested deeper than anybody reads', () => {
  expect(settlementIn(answer('{"success":true}'))).toEqual({ success: true })
  expect(settlementIn(answer(nested(32)))).toEqual(JSON.parse(nested(32)))
  expect(settlementIn(answer(nested(33)))).toBeNull()
  expect(settlementIn(answer(nested(4_500)))).toBeNull()
})
