import { expect, test } from 'vitest'
import { compile } from './compile.ts'
import { effectiveToJson } from './effective-to-json.ts'
import { native, payload } from './effects.fuzz.ts'
import { evaluate } from './evaluate.ts'
import { intersect } from './intersect.ts'
import { parseLayers } from './parse-layers.ts'
import { parsePolicy } from './parse-policy.ts'
import { PolicyError } from './policy-error.ts'
import { names, requestOf } from './random-layers.fuzz.ts'

const friend = `0x${'11'.repeat(20)}`
const refusalOf = (layers: unknown, decoded: ReturnType<typeof payload>) =>
  evaluate(compile(parseLayers(layers), names), requestOf(decoded)).refusal
const eth = (value: bigint, fee: bigint) => payload([native(value, friend)], 'base', { fee })

test('a cap of one native asset holds for it on every chain, and for no other asset', () => {
  const session = {
    max_spend_per_tx: [{ asset: 'ETH', max: '5' }],
    max_spend_total: [
      { asset: 'BTC', max: '1' },
      { asset: 'ETH', max: '9' },
    ],
  }
  expect(refusalOf({ session }, eth(5n, 4n))).toBeNull()
  expect(refusalOf({ session }, eth(6n, 0n))).toMatchObject({
    reason: 'per_tx_cap_exceeded',
    layer: 'session',
    rule: 'max_spend_per_tx',
    limit: '5',
  })
  expect(refusalOf({ session }, eth(5n, 5n))).toMatchObject({
    reason: 'total_cap_exceeded',
    rule: 'max_spend_total',
    limit: '9',
    actual: '10',
    value: '5',
    fee: '5',
  })
  const sol = payload([{ ...native(99n, friend), asset: 'SOL' }], 'solana')
  expect(refusalOf({ session }, sol)).toBeNull()
})

test('the least cap of an asset holds, beside the one for all', () => {
  const layers = {
    agent: { max_spend_per_tx: [{ asset: 'ETH', max: '3' }] },
    session: { max_spend_per_tx_native: '4', max_spend_per_tx: [{ asset: 'ETH', max: '7' }] },
  }
  expect(refusalOf(layers, eth(4n, 0n))).toMatchObject({
    layer: 'agent',
    rule: 'max_spend_per_tx',
    limit: '3',
  })
  expect(refusalOf(layers, eth(5n, 0n))).toMatchObject({ layer: 'session', rule: 'max_spend_per_tx_native' })
  const shown = effectiveToJson(intersect(parseLayers(layers), names))
  expect(shown.max_spend_per_tx).toEqual([{ asset: 'ETH', max: '3' }])
  expect(shown.max_spend_total).toBeNull()
})

test('an asset that has two caps is not a policy', () => {
  const caps = [
    { asset: 'ETH', max: '1' },
    { asset: 'ETH', max: '2' },
  ]
  expect(() => parsePolicy({ max_spend_total: caps })).toThrow(PolicyError)
})

test('a sign-in is allowed where a list has its domain, whatever its letters, and refused where none does', () => {
  const signIn = (domain: string | null) => payload([], 'base', { signIn: { domain } })
  const session = { allowed_sign_in_domains: ['App.example'] }
  expect(refusalOf({ session }, signIn('app.example'))).toBeNull()
  expect(refusalOf({ agent: session, session: {} }, signIn('app.example'))).toBeNull()
  const refused = { reason: 'sign_in_not_allowed', rule: 'allowed_sign_in_domains' }
  expect(refusalOf({ session }, signIn(null))).toMatchObject({ ...refused, layer: 'session' })
  expect(refusalOf({ session }, signIn('app.example:8443'))).toMatchObject(refused)
  expect(refusalOf({ session: {} }, signIn('app.example'))).toMatchObject(refused)
  expect(refusalOf({ agent: [{}, session], session: {} }, signIn('app.example'))).toMatchObject(refused)
  expect(effectiveToJson(intersect(parseLayers({ session: {} }), names)).allowed_sign_in_domains).toEqual([])
})

test('an entry of tokens that names the native asset caps it on its chain, whatever else is listed, and stays in the effective policy', () => {
  const layers = {
    organization: { token_mode: 'none' },
    agent: { allowed_tokens: [{ chain: 'base', token: friend }] },
    session: { allowed_tokens: [{ chain: 'base', token: 'ETH', max_per_tx: '5', max_total: '9' }] },
  }
  const effective = effectiveToJson(intersect(parseLayers(layers), names))
  expect(effective.allowed_tokens).toEqual([{ chain: 'base', token: 'ETH', max_per_tx: '5', max_total: '9' }])
  for (const given of [layers, { session: { allowed_tokens: effective.allowed_tokens } }]) {
    expect(refusalOf(given, eth(5n, 4n))).toBeNull()
    expect(refusalOf(given, eth(6n, 0n))).toMatchObject({
      reason: 'token_cap_exceeded',
      layer: 'session',
      rule: 'allowed_tokens[base ETH].max_per_tx',
    })
    expect(refusalOf(given, eth(5n, 5n))).toMatchObject({
      reason: 'token_cap_exceeded',
      rule: 'allowed_tokens[base ETH].max_total',
      value: '5',
      fee: '5',
    })
    expect(refusalOf(given, payload([native(6n, friend)], 'ethereum'))).toBeNull()
  }
})
