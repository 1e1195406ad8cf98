import { AgentPolicy, EffectivePolicy, OrganizationRules, policyReasons } from '@symbolon/api'
import {
  effectiveToJson,
  intersect,
  type PolicyReason,
  parseLayers,
  parsePolicy,
  parseRules,
} from '@symbolon/policy'
import { names, randomLayers } from '@symbolon/policy/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const amounts = fc.constantFrom(
  '0',
  '1',
  '01',
  '-1',
  '1.0',
  '',
  '9'.repeat(78),
  '1'.repeat(79),
  5,
  null,
  true,
)
const text = (max: number) =>
  fc.constantFrom('a', '', 'x'.repeat(max), 'x'.repeat(max + 1), 'é'.repeat(max), 7, null)
const lists = (item: fc.Arbitrary<unknown>, max: number) =>
  fc.oneof(
    fc.array(item, { maxLength: 2 }),
    fc.array(item, { maxLength: 2 }),
    item.map((each) => Array(max).fill(each)),
    item.map((each) => Array(max + 1).fill(each)),
    fc.constantFrom<unknown>(null, {}, 'list'),
  )
const numbers = fc.constantFrom(
  0,
  1,
  59,
  60,
  1.5,
  -1,
  1_000_000_000,
  1_000_000_001,
  3_153_600_000,
  3_153_600_001,
  2 ** 53,
  '1',
  null,
)
const times = fc.constantFrom(
  '2030-02-28T00:00:00.000Z',
  '2030-02-30T00:00:00.000Z',
  '2030-02-28T00:00:00Z',
  '2030-02-28T24:00:00.000Z',
  '2030-02-28T00:00:00.000+00:00',
  '0000-01-01T00:00:00.000Z',
  0,
  null,
)
const selector = fc.constantFrom(
  '0xa9059cbb',
  '0xA9059CBB',
  '0XA9059CBB',
  '0xa9059cb',
  'a9059cbb',
  '0xa9059cbg',
  1,
)

/** An object with some of these fields, now and then with one that nobody knows. */
function objectOf(
  fields: Record<string, fc.Arbitrary<unknown>>,
  required: string[] = [],
): fc.Arbitrary<unknown> {
  const known = fc.record(fields, { requiredKeys: required })
  const stray = fc.constantFrom('extra', '__proto__', 'constructor', 'toString', 'Max_Tx_Count', '')
  return fc.oneof(
    { weight: 12, arbitrary: known },
    // As JSON, where __proto__ is a field like others.
    {
      weight: 2,
      arbitrary: fc
        .tuple(known, stray)
        .map(([one, key]) =>
          JSON.parse(`{${JSON.stringify(key)}:1,${JSON.stringify(one).slice(1)}`.replace(',}', '}')),
        ),
    },
    { weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(null, [], 'policy', 1) },
  )
}

const token = objectOf({ chain: text(64), token: text(256), max_per_tx: amounts, max_total: amounts }, [
  'chain',
  'token',
])
const contract = objectOf({ chain: text(64), address: text(256), selectors: lists(selector, 64) }, [
  'chain',
  'address',
])
const policy = {
  max_spend_per_tx_native: amounts,
  max_spend_total_native: amounts,
  allowed_chains: lists(text(64), 64),
  allowed_methods: lists(fc.constantFrom('signMessage', 'sendTransaction', 'SignMessage', 1), 2),
  allowed_recipients: lists(text(256), 256),
  allowed_tokens: lists(token, 128),
  allowed_contracts: lists(contract, 128),
  max_fee_per_tx_native: amounts,
  max_tx_count: numbers,
  expires_at: times,
}
const rules = {
  blocked_chains: lists(text(64), 64),
  blocked_recipients: lists(text(256), 1024),
  max_native_per_tx_cap: amounts,
  max_native_total_cap: amounts,
  token_mode: fc.constantFrom('none', 'allowlist', 'any', 'all', 1, null),
  allow_raw_hash: fc.constantFrom(true, false, 'true', 0, null),
  max_session_ttl_seconds: numbers,
}
/** At most three fields, so that every one is now and then the only wrong one. */
const few = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .subarray(Object.keys(fields), { maxLength: 3 })
    .chain((keys) =>
      objectOf(Object.fromEntries(keys.flatMap((key) => (fields[key] ? [[key, fields[key]]] : [])))),
    )

function accepts(parse: (json: unknown) => unknown, json: unknown): boolean {
  try {
    parse(json)
    return true
  } catch {
    return false
  }
}

describe('the enclave reads policies by the schema of the wire', () => {
  test.each([
    ['policy', policy, parsePolicy, AgentPolicy],
    ['rules', rules, parseRules, OrganizationRules],
  ] as const)('%s: it takes exactly what the wire takes', (_name, fields, parse, schema) => {
    const taken = { yes: 0, no: 0 }
    const property = fc.property(few(fields), (json) => {
      const read = schema.safeParse(json)
      // Times of any zone are stored, and sealed, as the wire has read them.
      const isTaken = accepts(parse, read.success ? read.data : json)
      taken[isTaken ? 'yes' : 'no']++
      expect(isTaken).toBe(read.success)
    })
    fc.assert(property, { numRuns: 3000 })
    expect(Math.min(taken.yes, taken.no)).toBeGreaterThan(300)
  })

  test('an effective policy is one of the wire', () => {
    fc.assert(
      fc.property(randomLayers, (layers) => {
        const json: unknown = JSON.parse(JSON.stringify(effectiveToJson(intersect(layers, names))))
        expect(EffectivePolicy.parse(json)).toEqual(json)
      }),
      { numRuns: 300 },
    )
  })

  test('layers are objects of three, each one or several', () => {
    expect(parseLayers({})).toEqual(parseLayers({ organization: null, agent: null, session: [] }))
    expect(parseLayers({ agent: [null, {}] }).agent).toHaveLength(2)
    expect(parseLayers({ agent: [null, null] }).agent).toHaveLength(0)
    for (const wrong of [
      null,
      [],
      { wallet: {} },
      { agent: [[]] },
      { session: 'x' },
      { organization: { any: 1 } },
    ]) {
      expect(accepts(parseLayers, wrong)).toBe(false)
    }
  })

  test('the reasons are the words of the wire', () => {
    const words: readonly PolicyReason[] = policyReasons
    expect(new Set(words).size).toBe(words.length)
    const missing: Exclude<PolicyReason, (typeof policyReasons)[number]>[] = []
    expect(missing).toEqual([])
  })
})
