import type { Spend } from '@symbolon/policy'
import { expect, test } from 'vitest'
import { overCap } from './over-cap.ts'

const spend = (counter: string, amount: bigint, caps: Spend['caps'] = []): Spend => ({
  counter,
  asset: counter,
  amount,
  caps,
})
const standing = (counter: string, spent: bigint, reserved = 0n) => ({ counter, spent, reserved })
const total = (max: bigint, layer: 'organization' | 'session') =>
  ({ max, layer, reason: 'total_cap_exceeded', rule: `${layer} cap` }) as const

test('the organization’s cap is named before the session’s, with the sum that it would be', () => {
  const spends = [spend('native ETH/18', 5n, [total(8n, 'session'), total(9n, 'organization')])]
  expect(overCap(spends, [standing('native ETH/18', 3n, 2n)], false)).toMatchObject({
    layer: 'organization',
    limit: '9',
    actual: '10',
  })
  expect(overCap(spends, [standing('native ETH/18', 3n, 6n)], true)).toMatchObject({
    layer: 'session',
    limit: '8',
    actual: '9',
  })
})

test('a sum beyond every counter is reported with its asset', () => {
  const nearly = 10n ** 78n - 10n
  const spends = [spend('native ETH/18', 1n), spend('token local 0x11', 10n)]
  expect(overCap(spends, [standing('token local 0x11', nearly)], false)).toEqual({
    reason: 'token_cap_exceeded',
    layer: 'organization',
    rule: 'allowed_tokens',
    limit: (10n ** 78n - 1n).toString(),
    actual: (10n ** 78n).toString(),
  })
  expect(overCap([spend('native ETH/18', 10n)], [standing('native ETH/18', nearly)], false)).toMatchObject({
    reason: 'total_cap_exceeded',
    rule: 'max_spend_total_native',
  })
})
