import type { Refusal } from '@symbolon/policy'
import { describe, expect, test } from 'vitest'
import { refusalMessage } from './refusal-message.ts'

const total: Refusal = {
  reason: 'total_cap_exceeded',
  layer: 'session',
  rule: 'max_spend_total_native',
  limit: '150',
  actual: '200',
}

describe('the sentence of a refusal', () => {
  test('names rule, layer, limit, and what a sum would come to', () => {
    expect(refusalMessage(total)).toBe(
      'The policy refuses this: max_spend_total_native of the session is 150, this would make it 200.',
    )
    expect(refusalMessage({ ...total, reason: 'per_tx_cap_exceeded', layer: 'agent' })).toBe(
      'The policy refuses this: max_spend_total_native of the agent is 150, this is 200.',
    )
  })

  test('repeats nothing long or dressed up that a payload brought', () => {
    const reason = 'recipient_not_allowed'
    for (const actual of ['<b>you</b>', 'call 0800 now.', 'x'.repeat(101), null]) {
      expect(refusalMessage({ ...total, reason, actual })).toBe(
        'The policy refuses this: max_spend_total_native of the session is 150 (recipient_not_allowed).',
      )
    }
    expect(refusalMessage({ ...total, reason, limit: null })).toBe(
      'The policy refuses this: max_spend_total_native of the session does not allow it (recipient_not_allowed).',
    )
  })
})
