import { expect, test } from 'vitest'
import { isBoundless } from './boundless.ts'
import { draftOf, newDraft, policyOf, rulesDraftOf, rulesOf } from './policy-draft.ts'

test('a policy that is opened and saved without a change stays what it was, to the millisecond', () => {
  const policy = {
    max_spend_per_tx_native: '1',
    max_spend_total_native: '0',
    max_fee_per_tx_native: '12',
    max_tx_count: 0,
    expires_at: '2031-05-06T07:08:09.123Z',
    allowed_methods: ['signMessage' as const],
    allowed_chains: [],
    allowed_recipients: ['0xabc', 'near.example'],
    allowed_tokens: [{ chain: 'base', token: '0x11', max_total: '5' }],
    allowed_contracts: [
      { chain: 'base', address: '0x22' },
      { chain: 'near', address: 'x.near', selectors: ['0xa9059cbb', '0x095ea7b3'] },
    ],
  }
  expect(policyOf(draftOf(policy))).toEqual(policy)
  expect(policyOf(draftOf({}))).toEqual({})
  expect(
    policyOf({
      ...draftOf(policy),
      expires_at: { text: '2031-05-07T00:00', before: policy.expires_at },
    })?.expires_at,
  ).toMatch(/^2031-05-0[67]T/)
})

test('a missing list is not limited here, an empty one allows nothing: neither becomes the other', () => {
  const draft = draftOf({})
  const empty = {
    allowed_chains: [],
    allowed_recipients: ' \n',
    allowed_tokens: [],
    allowed_contracts: [],
  }
  expect(policyOf({ ...draft, ...empty })).toEqual({
    allowed_chains: [],
    allowed_recipients: [],
    allowed_tokens: [],
    allowed_contracts: [],
  })
})

test('a new agent pays nobody before recipients are set, and has no policy before a total is set', () => {
  const draft = newDraft('base')
  expect(policyOf(draft)).toBeUndefined()
  expect(policyOf({ ...draft, max_spend_total_native: '5' })).toEqual({
    max_spend_total_native: '5',
    allowed_chains: ['base'],
    allowed_recipients: [],
  })
  expect(policyOf({ ...newDraft(undefined), max_spend_total_native: undefined })).toEqual({
    allowed_recipients: [],
  })
})

test('a draft is without bounds as soon as nothing says how much and nothing says to whom', () => {
  const open = draftOf({})
  expect(isBoundless(open)).toBe(true)
  const bounds = [
    { max_spend_total_native: '1' },
    { allowed_recipients: '' },
    { allowed_chains: [] },
    { allowed_methods: ['signMessage' as const] },
  ]
  for (const bound of bounds) expect(isBoundless({ ...open, ...bound })).toBe(false)
})

test.each([
  { max_spend_per_tx_native: '0.5' },
  { max_spend_total_native: 'x' },
  { max_fee_per_tx_native: '-1' },
  { max_tx_count: '1.5' },
  { expires_at: { text: 'soon', before: undefined } },
])('%j is not a policy', (wrong) => {
  expect(policyOf({ ...draftOf({}), ...wrong })).toBeUndefined()
})

test('rules that are opened and saved without a change stay what they were; what has a default is always said', () => {
  const rules = {
    blocked_chains: ['polygon'],
    blocked_recipients: ['0xabc', 'thief.near'],
    max_native_per_tx_cap: '1',
    max_native_total_cap: '0',
    token_mode: 'any' as const,
    allow_raw_hash: true,
    max_session_ttl_seconds: 3600,
  }
  expect(rulesOf(rulesDraftOf(rules))).toEqual(rules)
  expect(rulesOf(rulesDraftOf({}))).toEqual({ token_mode: 'allowlist', allow_raw_hash: false })
  expect(rulesOf({ ...rulesDraftOf({}), max_native_total_cap: '0.5' })).toBeUndefined()
})
