import { propertyRuns } from '@symbolon/testing/properties'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clippedFields } from './clipped-fields.ts'
import { effectiveToJson } from './effective-to-json.ts'
import { intersect } from './intersect.ts'
import { parseLayers } from './parse-layers.ts'
import { parsePolicy } from './parse-policy.ts'
import type { Effective, Layers } from './policy.ts'
import { chainGroup, placeKey } from './policy-names.ts'
import { names, randomLayers } from './random-layers.fuzz.ts'

/** What a policy means, whatever its spelling and order. */
function meaning(effective: Effective) {
  const sorted = (list: readonly string[] | null | undefined) => (list ? [...new Set(list)].sort() : null)
  const chains = (list: readonly string[] | null) => sorted(list?.map((handle) => chainGroup(handle, names)))
  const capTexts = (list: Effective['max_spend_total']) =>
    sorted(list?.map(({ asset, max }) => `${asset} ${max}`))
  const accounts = (list: readonly string[] | null) =>
    sorted(list?.map((text) => names.recipientKeys(text)[0]))
  return {
    ...effective,
    allowed_chains: chains(effective.allowed_chains),
    blocked_chains: chains(effective.blocked_chains),
    allowed_recipients: accounts(effective.allowed_recipients),
    blocked_recipients: accounts(effective.blocked_recipients),
    allowed_methods: sorted(effective.allowed_methods),
    allowed_sign_in_domains: sorted(effective.allowed_sign_in_domains),
    max_spend_per_tx: capTexts(effective.max_spend_per_tx),
    max_spend_total: capTexts(effective.max_spend_total),
    allowed_tokens:
      effective.allowed_tokens &&
      sorted(
        effective.allowed_tokens.map(
          (entry) => `${placeKey(entry.chain, entry.token, names)} ${entry.maxPerTx} ${entry.maxTotal}`,
        ),
      ),
    allowed_contracts: sorted(
      effective.allowed_contracts.map(
        (entry) =>
          `${placeKey(entry.chain, entry.address, names)} ${entry.selectors && sorted(entry.selectors)}`,
      ),
    ),
  }
}

const effectiveOfLayers = (layers: Layers) => meaning(intersect(layers, names))
/** Layers that one policy and one set of rules stand for. */
const single = (effective: Effective): Layers => ({
  organization: [effective],
  agent: [],
  session: [effective],
})
const join = (one: Layers, other: Layers): Layers => ({
  organization: [...one.organization, ...other.organization],
  agent: [...one.agent, ...other.agent],
  session: [...one.session, ...other.session],
})
/** Sessions that list tokens and contracts: a missing list asks another layer, which is no matter of the intersection alone. */
const listing = randomLayers.map(
  ({ organization, session }): Layers => ({
    organization,
    agent: [],
    session: session.map((policy) => ({
      ...policy,
      allowed_tokens: policy.allowed_tokens ?? [],
      allowed_contracts: policy.allowed_contracts ?? [],
      allowed_sign_in_domains: policy.allowed_sign_in_domains ?? [],
    })),
  }),
)

test('the intersection is idempotent: a layer twice is that layer', () => {
  fc.assert(
    fc.property(randomLayers, (layers) => {
      expect(effectiveOfLayers(join(layers, layers))).toEqual(effectiveOfLayers(layers))
      expect(effectiveOfLayers(single(intersect(layers, names)))).toEqual(effectiveOfLayers(layers))
    }),
    { numRuns: propertyRuns(1000) },
  )
})

test('the intersection is commutative: the order of versions means nothing', () => {
  fc.assert(
    fc.property(randomLayers, randomLayers, (one, other) => {
      expect(effectiveOfLayers(join(other, one))).toEqual(effectiveOfLayers(join(one, other)))
    }),
    { numRuns: propertyRuns(1000) },
  )
})

test('the intersection is associative', () => {
  fc.assert(
    fc.property(listing, listing, listing, (one, two, three) => {
      const left = join(single(intersect(join(one, two), names)), three)
      const right = join(one, single(intersect(join(two, three), names)))
      expect(effectiveOfLayers(left)).toEqual(effectiveOfLayers(right))
    }),
    { numRuns: propertyRuns(1000) },
  )
})

const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const effectiveOf = (json: unknown) => effectiveToJson(intersect(parseLayers(json), names))

test('a session alone is returned as it was asked, in its order and spelling', () => {
  const session = {
    max_spend_per_tx_native: '5',
    max_spend_total_native: '50',
    allowed_chains: ['base', 'bitcoin-testnet', 'ethereum'],
    allowed_methods: ['sendTransaction', 'signMessage'],
    allowed_tokens: [{ chain: 'base', token: usdc, max_per_tx: '7' }],
    allowed_contracts: [{ chain: 'base', address: usdc, selectors: ['0xa9059cbb'] }],
    expires_at: '2030-01-02T03:04:05.678Z',
  }
  // The other fields are as in a session that asks for nothing, so that a new field needs no line here.
  expect(effectiveOf({ session })).toEqual({ ...effectiveOf({ session: {} }), ...session })
})

test('the stricter of all layers is left', () => {
  const session = { max_spend_per_tx_native: '5', allowed_chains: ['base', 'bitcoin-testnet', 'polygon'] }
  const agent = {
    max_spend_total_native: '9',
    allowed_chains: ['bitcoin', 'base', 'polygon'],
    allowed_tokens: [{ chain: 'base', token: usdc.toLowerCase(), max_total: '3' }],
    max_tx_count: 4,
  }
  const organization = { max_native_per_tx_cap: '4', max_native_total_cap: '10', blocked_chains: ['polygon'] }
  const own = {
    ...session,
    allowed_tokens: [{ chain: 'base', token: usdc, max_per_tx: '2', max_total: '8' }],
  }
  expect(effectiveOf({ organization, agent: [agent], session: own })).toMatchObject({
    max_spend_per_tx_native: '4',
    max_spend_total_native: '9',
    allowed_chains: ['base', 'bitcoin-testnet'],
    allowed_tokens: [{ chain: 'base', token: usdc, max_per_tx: '2', max_total: '3' }],
    max_tx_count: 4,
    blocked_chains: ['polygon'],
  })
})

test('missing lists of tokens ask the other layer; missing everywhere they are none, or all with `any`', () => {
  const list = { allowed_tokens: [{ chain: 'base', token: usdc }] }
  const tokens = (json: unknown) => effectiveOf(json).allowed_tokens
  expect(tokens({ session: {} })).toEqual([])
  expect(tokens({ agent: list, session: {} })).toHaveLength(1)
  expect(tokens({ agent: {}, session: list })).toHaveLength(1)
  expect(tokens({ organization: { token_mode: 'any' }, session: {} })).toBeNull()
  expect(tokens({ organization: { token_mode: 'any' }, agent: list, session: {} })).toHaveLength(1)
  expect(tokens({ organization: { token_mode: 'none' }, session: list })).toEqual([])
})

test('a change after the seal never widens it', () => {
  const list = {
    allowed_tokens: [{ chain: 'base', token: usdc }],
    allowed_contracts: [{ chain: 'base', address: usdc }],
  }
  const wide = { token_mode: 'any', allow_raw_hash: true, max_native_per_tx_cap: '9' }
  for (const agent of [
    [{}, list],
    [null, list],
    [list, {}],
  ]) {
    const effective = effectiveOf({ agent, session: {} })
    expect([effective.allowed_tokens, effective.allowed_contracts]).toEqual([[], []])
  }
  expect(effectiveOf({ organization: [null, wide], session: {} })).toMatchObject({
    token_mode: 'allowlist',
    allow_raw_hash: false,
    max_spend_per_tx_native: '9',
  })
})

test('clipped names the fields that another layer made stricter, and no others', () => {
  const clipped = (asked: unknown, others: object, ttlBoundMs: number | null = null) =>
    clippedFields(parsePolicy(asked), parseLayers(others), names, ttlBoundMs)
  const expires = { expires_at: '2030-01-01T00:00:00.000Z' }
  expect(clipped({ ...expires, allowed_chains: ['base'] }, {})).toEqual([])
  expect(clipped({ max_spend_per_tx_native: '5' }, { organization: { max_native_per_tx_cap: '5' } })).toEqual(
    [],
  )
  expect(clipped({ max_spend_per_tx_native: '5' }, { organization: { max_native_per_tx_cap: '4' } })).toEqual(
    ['max_spend_per_tx_native'],
  )
  expect(clipped({}, { agent: { max_spend_total_native: '4' } })).toEqual(['max_spend_total_native'])
  expect(
    clipped({ allowed_chains: ['base', 'polygon'] }, { organization: { blocked_chains: ['polygon'] } }),
  ).toEqual(['allowed_chains'])
  expect(
    clipped({ allowed_chains: ['bitcoin'] }, { agent: { allowed_chains: ['bitcoin-testnet'] } }),
  ).toEqual([])
  expect(clipped(expires, {}, Date.parse('2029-01-01T00:00:00.000Z'))).toEqual(['expires_at'])
  expect(clipped(expires, {}, Date.parse('2031-01-01T00:00:00.000Z'))).toEqual([])
  const token = { chain: 'base', token: usdc }
  expect(clipped({ allowed_tokens: [token] }, { organization: { token_mode: 'none' } })).toEqual([
    'allowed_tokens',
  ])
  expect(
    clipped({ allowed_tokens: [token] }, { agent: { allowed_tokens: [{ ...token, max_total: '1' }] } }),
  ).toEqual(['allowed_tokens'])
  expect(clipped({}, { agent: { allowed_tokens: [token] } })).toEqual([])
  const contract = { chain: 'base', address: usdc }
  const narrow = { allowed_contracts: [{ ...contract, selectors: ['0xa9059cbb'] }] }
  expect(clipped({ allowed_contracts: [contract] }, { agent: narrow })).toEqual(['allowed_contracts'])
  const wide = {
    allowed_methods: ['signMessage'],
    allowed_recipients: [usdc],
    max_fee_per_tx_native: '2',
    max_tx_count: 1,
  }
  const strict = { allowed_methods: [], allowed_recipients: [], max_fee_per_tx_native: '1', max_tx_count: 0 }
  expect(clipped(wide, { agent: strict })).toEqual([
    'allowed_methods',
    'allowed_recipients',
    'max_fee_per_tx_native',
    'max_tx_count',
  ])
})
