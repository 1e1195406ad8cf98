import { AgentPolicy, EffectivePolicy, OrganizationRules, policyReasons } from '@symbolon/api'
import { openapi } from '@symbolon/api/openapi'
import {
  clippedFields,
  compile,
  effectiveToJson,
  evaluate,
  intersect,
  PolicyError,
  type PolicyReason,
  parseLayers,
  parsePolicy,
} from '@symbolon/policy'
import type { PolicyFieldRow } from '@symbolon/policy/fields'
import { call, type Measured, names, payload, requestOf } from '@symbolon/policy/testing'
import { draftOf, policyOf, rulesDraftOf, rulesOf } from '@symbolon/portal/testing'
import { refusalMessage } from '@symbolon/server/testing/spending'
import { expect, test, vi } from 'vitest'
import { policyPage } from '../../scripts/policy-reference.ts'

// The whole change for a cap on calls: a row, its reason, and the function that measures it.
vi.mock('../../packages/policy/src/fields.ts', async (original) => {
  const { policyFields } = await original<{ policyFields: readonly PolicyFieldRow[] }>()
  const about = { missing: 'no limit', group: 'amounts', help: 'Empty: no limit.' } as const
  const calls = {
    ...about,
    name: 'max_calls_per_tx',
    layers: ['agent', 'session'],
    kind: 'count',
    min: 0,
    max: 100,
    cap: { of: 'calls', per: 'transaction' },
    reason: 'call_count_exceeded',
    description: 'Calls of one transaction at most.',
    label: 'Calls per transaction',
  }
  // A cap on what is measured already, with a reason that is there, is this one row.
  const fee = {
    ...about,
    name: 'max_fee_per_payload_cap',
    layers: ['organization'],
    kind: 'amount',
    cap: { of: 'fee', per: 'transaction' },
    shownIn: 'max_fee_per_tx_native',
    reason: 'fee_cap_exceeded',
    description: 'Fee of one transaction at most, for every agent.',
    label: 'Fee per transaction',
  }
  return { policyFields: [...policyFields, calls, fee] }
})
vi.mock('../../packages/policy/src/reasons.ts', async (original) => {
  const { policyReasonRows } = await original<{ policyReasonRows: readonly object[] }>()
  const reason = {
    code: 'call_count_exceeded',
    sentence: '{who} allows [{limit}|fewer] call{s}[, this makes {actual}]',
    what: 'It would have made too many calls at once.',
    fix: 'Split it.',
  }
  return { policyReasonRows: [...policyReasonRows, reason] }
})
vi.mock('../../packages/policy/src/measures.ts', async (original) => {
  const { measures } = await original<{ measures: object }>()
  const calls = ({ decoded }: Measured) =>
    BigInt(decoded.effects.filter(({ kind }) => kind === 'call').length)
  return { measures: { ...measures, calls } }
})

const router = `0x${'aa'.repeat(20)}`
const given = {
  agent: { max_calls_per_tx: 3, allowed_contracts: [{ chain: 'base', address: router }] },
  session: { max_calls_per_tx: 2 },
}
const calling = (count: number, fee: bigint | null = null) =>
  payload(Array(count).fill(call(router, '0x12345678')), 'base', { fee })
const refusalOf = (layers: unknown, decoded: ReturnType<typeof payload>) =>
  evaluate(compile(parseLayers(layers), names), requestOf(decoded)).refusal

test('a cap that is added as a row is read and validated by the enclave and the API alike', () => {
  for (const [policy, isPolicy] of [
    [{ max_calls_per_tx: 2 }, true],
    [{ max_calls_per_tx: 101 }, false],
    [{ max_calls_per_tx: '2' }, false],
    [{ max_calls: 2 }, false],
  ] as const) {
    expect(AgentPolicy.safeParse(policy).success).toBe(isPolicy)
    if (isPolicy) expect(parsePolicy(policy)).toMatchObject(policy)
    else expect(() => parsePolicy(policy)).toThrow(PolicyError)
  }
  expect(OrganizationRules.safeParse({ max_fee_per_payload_cap: '5' }).success).toBe(true)
})

test('it intersects, is clipped and shown, and a cap that is shown in another field is folded into it', () => {
  const layers = { ...given, organization: { max_fee_per_payload_cap: '7' } }
  const shown = effectiveToJson(intersect(parseLayers(layers), names))
  expect(shown).toMatchObject({ max_calls_per_tx: 2, max_fee_per_tx_native: '7' })
  expect(shown).not.toHaveProperty('max_fee_per_payload_cap')
  expect(EffectivePolicy.parse(shown)).toEqual(shown)
  const asked = parsePolicy({ max_calls_per_tx: 5, max_fee_per_tx_native: '9' })
  expect(clippedFields(asked, parseLayers(layers), names)).toEqual(
    expect.arrayContaining(['max_calls_per_tx', 'max_fee_per_tx_native']),
  )
})

test('it refuses what goes beyond it, with its reason, layer and sentence', () => {
  expect(refusalOf(given, calling(2))).toBeNull()
  const refusal = refusalOf(given, calling(3))
  expect(refusal).toEqual({
    reason: 'call_count_exceeded',
    layer: 'session',
    rule: 'max_calls_per_tx',
    limit: '2',
    actual: '3',
  })
  expect(refusal && refusalMessage(refusal)).toBe(
    'The policy refuses this: the session allows 2 calls, this makes 3 (call_count_exceeded).',
  )
  const ruled = { ...given, organization: { max_fee_per_payload_cap: '5' } }
  expect(refusalOf(ruled, calling(1, 5n))).toBeNull()
  expect(refusalOf(ruled, calling(1, 6n))).toMatchObject({
    reason: 'fee_cap_exceeded',
    layer: 'organization',
    rule: 'max_fee_per_payload_cap',
  })
})

test('the document, the portal and the reference have it', () => {
  expect(JSON.stringify(openapi())).toContain(
    '"max_calls_per_tx":{"type":"integer","minimum":0,"maximum":100,"description":"Calls of one transaction at most."}',
  )
  expect(policyReasons).toContain('call_count_exceeded' as PolicyReason)
  const policy = { max_calls_per_tx: 2 } as AgentPolicy
  expect(policyOf(draftOf(policy))).toEqual(policy)
  expect(policyOf({ ...draftOf({}), ...{ max_calls_per_tx: '1.5' } })).toBeUndefined()
  const rules = {
    max_fee_per_payload_cap: '5',
    token_mode: 'any',
    allow_raw_hash: false,
  } as OrganizationRules
  expect(rulesOf(rulesDraftOf(rules))).toEqual(rules)
  expect(policyPage()).toContain('| `max_calls_per_tx` | whole number | Calls of one transaction at most.')
  expect(policyPage()).toContain('| `call_count_exceeded` |')
})
