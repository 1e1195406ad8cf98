import type { AgentDecoded, AgentEffect } from '@symbolon/networks'
import { expect, test } from 'vitest'
import { compile } from './compile.ts'
import { approval, attached, call, native, payload, token } from './effects.fuzz.ts'
import { evaluate } from './evaluate.ts'
import { methodOf } from './method-of.ts'
import { parseLayers } from './parse-layers.ts'
import { names, requestOf } from './random-layers.fuzz.ts'

const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const router = `0x${'aa'.repeat(20)}`
const friend = `0x${'11'.repeat(20)}`
const stranger = `0x${'33'.repeat(20)}`
const sent = (amount: bigint) => payload([native(amount, friend)])
const paid = (amount: bigint) => payload([token(usdc, amount, friend)])
const usdcOn = (chain: string, caps = {}) => ({
  allowed_tokens: [{ chain, token: usdc.toLowerCase(), ...caps }],
})
const trapped = (trap: NonNullable<AgentDecoded['trap']>) => payload([], 'base', { trap })

function decided(
  layers: unknown,
  decoded: AgentDecoded,
  method: 'sendTransaction' | 'signMessage' = 'sendTransaction',
) {
  return evaluate(compile(parseLayers(layers), names), requestOf(decoded, method))
}

test('caps apply to the sum of a payload, for each asset apart', () => {
  const layers = { session: { max_spend_per_tx_native: '10', ...usdcOn('base', { max_per_tx: '10' }) } }
  const twice = (one: AgentEffect) => payload([one, one])
  expect(decided(layers, twice(native(5n, friend))).refusal).toBeNull()
  expect(decided(layers, twice(native(6n, friend))).refusal?.actual).toBe('12')
  expect(decided(layers, twice(token(usdc, 5n, friend))).refusal).toBeNull()
  expect(decided(layers, twice(token(usdc, 6n, friend))).refusal?.actual).toBe('12')
  const both = payload([
    approval(usdc, 6n, friend),
    token(usdc.toLowerCase(), 5n, friend),
    native(9n, friend),
  ])
  expect(decided(layers, both).refusal).toMatchObject({ reason: 'token_cap_exceeded', actual: '11' })
})

test('the cost is returned per counter, with its caps in their order', () => {
  const layers = {
    organization: { max_native_total_cap: '99' },
    agent: { max_tx_count: 3, ...usdcOn('base', { max_total: '70' }) },
    session: { max_spend_total_native: '50', ...usdcOn('base', { max_total: '80' }) },
  }
  const { spends, value, target, asset } = decided(
    layers,
    payload([native(5n, friend), token(usdc, 7n, stranger)]),
  )
  expect({ value, target, asset }).toEqual({ value: 5n, target: friend, asset: 'ETH' })
  expect(spends).toEqual([
    {
      counter: 'native ETH/18',
      asset: 'ETH',
      amount: 5n,
      caps: [
        { max: 99n, reason: 'org_total_cap_exceeded', layer: 'organization', rule: 'max_native_total_cap' },
        { max: 50n, reason: 'total_cap_exceeded', layer: 'session', rule: 'max_spend_total_native' },
      ],
    },
    {
      counter: `token base ${usdc.toLowerCase()}`,
      asset: `base ${usdc}`,
      amount: 7n,
      caps: [
        {
          max: 70n,
          reason: 'token_cap_exceeded',
          layer: 'agent',
          rule: `allowed_tokens[base ${usdc}].max_total`,
        },
      ],
    },
    {
      counter: 'transactions',
      asset: 'transactions',
      amount: 1n,
      caps: [{ max: 3n, reason: 'tx_count_exceeded', layer: 'agent', rule: 'max_tx_count' }],
    },
  ])
})

test('one asset has one counter on all chains, a message none for transactions', () => {
  const counters = (handle: string, method: 'sendTransaction' | 'signMessage' = 'sendTransaction') =>
    decided({}, payload([native(1n, friend)], handle), method).spends.map(({ counter }) => counter)
  expect(counters('base')).toEqual(['native ETH/18', 'transactions'])
  expect(counters('sepolia')).toEqual(['native ETH/18', 'transactions'])
  expect(counters('polygon')).toEqual(['native POL/18', 'transactions'])
  expect(counters('base', 'signMessage')).toEqual(['native ETH/18'])
})

test('main and test handles of a network without chain ids are one chain', () => {
  const coins = [token('mint', 5n, friend)]
  const layers = (chain: string) => ({
    session: { allowed_chains: [chain], allowed_tokens: [{ chain, token: 'mint', max_total: '9' }] },
  })
  for (const [asked, listed] of [
    ['solana', 'solana-devnet'],
    ['solana-devnet', 'solana'],
  ] as const) {
    const { refusal, spends } = decided(layers(listed), payload(coins, asked))
    expect(refusal).toBeNull()
    expect(spends[0]).toMatchObject({ counter: 'token solana mint', caps: [{ max: 9n }] })
    expect(decided({ organization: { blocked_chains: [listed] } }, payload([], asked)).refusal?.reason).toBe(
      'chain_blocked',
    )
  }
})

test('a chain that only the decoder knows the signature to be good on may not be blocked', () => {
  const everywhere = payload([], 'base', { chains: ['base', 'ethereum'] })
  expect(decided({ organization: { blocked_chains: ['ethereum'] } }, everywhere).refusal?.reason).toBe(
    'chain_blocked',
  )
  expect(decided({ organization: { blocked_chains: ['polygon'] } }, everywhere).refusal).toBeNull()
})

test('a contract that may be called may get value with the call, and no other account may', () => {
  const layers = (selectors?: string[]) => ({
    session: {
      allowed_recipients: [friend],
      allowed_contracts: [{ chain: 'base', address: router, ...(selectors && { selectors }) }],
    },
  })
  const withValue = payload([attached(1n, router), call(router, '0x12345678')])
  expect(decided(layers(), withValue).refusal).toBeNull()
  expect(decided(layers(['0x12345678']), withValue).refusal).toBeNull()
  expect(decided(layers(['0xa9059cbb']), withValue).refusal?.reason).toBe('recipient_not_allowed')
  expect(decided(layers(), payload([native(1n, router)])).refusal?.reason).toBe('recipient_not_allowed')
  const beside = payload([native(1n, router), call(router, '0x12345678')])
  expect(decided(layers(), beside).refusal?.reason).toBe('recipient_not_allowed')
  expect(
    decided(layers(), payload([attached(1n, stranger), call(router, '0x12345678')])).refusal?.reason,
  ).toBe('recipient_not_allowed')
  const elsewhere = payload([attached(1n, router), call(router, '0x12345678')], 'ethereum')
  expect(decided(layers(), elsewhere).refusal?.reason).toBe('recipient_not_allowed')
})

test('a call without a selector needs a contract whose every method is allowed', () => {
  const contracts = (...entries: object[]) => ({
    session: { allowed_contracts: entries.map((entry) => ({ chain: 'base', address: router, ...entry })) },
  })
  const reason = (layers: unknown, selector: string | null) =>
    decided(layers, payload([call(router, selector)])).refusal?.reason
  expect(reason(contracts({}), null)).toBeUndefined()
  expect(reason(contracts({ selectors: ['0xABCDEF01'] }), '0xabcdef01')).toBeUndefined()
  expect(reason(contracts({ selectors: ['0xabcdef01'] }), null)).toBe('contract_call_not_allowed')
  expect(reason(contracts({ selectors: [] }), '0xabcdef01')).toBe('contract_call_not_allowed')
  expect(reason(contracts({ selectors: [] }, { selectors: ['0xabcdef01'] }), '0xabcdef01')).toBeUndefined()
})

test('an offer to anybody is on no list of recipients, and may go to a blocked one', () => {
  const offer = payload([token(usdc, 1n, null)])
  const tokens = { session: usdcOn('base') }
  expect(decided(tokens, offer).refusal).toBeNull()
  expect(
    decided({ session: { ...usdcOn('base'), allowed_recipients: [friend] } }, offer).refusal?.reason,
  ).toBe('recipient_not_allowed')
  expect(
    decided({ ...tokens, organization: { blocked_recipients: [stranger] } }, offer).refusal?.reason,
  ).toBe('recipient_blocked')
})

test('a blocked account is blocked as spender, as called contract and as token too', () => {
  const session = { ...usdcOn('base'), allowed_contracts: [{ chain: 'base', address: router }] }
  for (const [blocked, effect] of [
    [friend, approval(usdc, 1n, friend)],
    [router, call(router, null)],
    [usdc.toLowerCase(), token(usdc, 1n, friend)],
  ] as const) {
    expect(decided({ session }, payload([effect])).refusal).toBeNull()
    const layers = { organization: { blocked_recipients: [blocked] }, session }
    expect(decided(layers, payload([effect])).refusal?.reason).toBe('recipient_blocked')
  }
})

test('a spender has to be an allowed recipient; the token itself need not be', () => {
  const session = { ...usdcOn('base'), allowed_recipients: [friend] }
  expect(decided({ session }, payload([approval(usdc, 1n, friend)])).refusal).toBeNull()
  expect(decided({ session }, payload([approval(usdc, 1n, stranger)])).refusal?.reason).toBe(
    'recipient_not_allowed',
  )
})

test('with `any` every token moves that no list forbids, with the caps of a list', () => {
  const any = { organization: { token_mode: 'any' } }
  expect(decided({ ...any, session: {} }, paid(9n)).refusal).toBeNull()
  expect(decided({ ...any, session: usdcOn('ethereum') }, paid(9n)).refusal?.reason).toBe('token_not_allowed')
  expect(decided({ ...any, session: usdcOn('base', { max_total: '8' }) }, paid(9n)).refusal?.reason).toBe(
    'token_cap_exceeded',
  )
})

test.each<[string, AgentEffect]>([
  ['a transfer of an unknown amount', { ...token(usdc, 1n, friend), amount: null }],
  ['a transfer of nothing known', { ...token(usdc, 1n, friend), asset: null }],
  ['a negative amount', token(usdc, -1n, friend)],
  ['a native effect without an asset', { ...native(1n, friend), asset: null }],
  ['a call of no contract', { ...call(router, null), contract: null }],
  ['an unknown effect', { ...call(router, null), kind: 'unknown', contract: null }],
  ['a call that moves an unknown amount', { ...call(router, null), asset: usdc }],
])('%s is not understood, and is refused', (_name, effect) => {
  const layers = {
    organization: { token_mode: 'any' },
    session: { allowed_contracts: [{ chain: 'base', address: router }] },
  }
  expect(decided(layers, payload([effect])).refusal?.reason).toBe('payload_undecodable')
})

test('an admin effect and an approval of native asset are refused, whatever the decoder thought of them', () => {
  const any = { organization: { token_mode: 'any' } }
  const admin: AgentEffect = { ...call(router, null), kind: 'admin' }
  expect(decided(any, payload([admin])).refusal?.reason).toBe('account_admin_not_allowed')
  const approved: AgentEffect = { ...native(1n, friend), kind: 'approval' }
  expect(decided(any, payload([approved])).refusal?.reason).toBe('approval_not_allowed')
  expect(
    decided(any, payload([{ ...approved, isNative: false, asset: null, amount: null }])).refusal?.reason,
  ).toBe('approval_not_allowed')
})

test('a bare hash passes where all rules allow it, and only while nothing else is wrong', () => {
  const allowed = { organization: { allow_raw_hash: true } }
  expect(decided(allowed, trapped('raw_hash_not_allowed'), 'signMessage')).toMatchObject({
    refusal: null,
    spends: [],
  })
  const odd = payload([native(1n, friend)], 'base', { trap: 'raw_hash_not_allowed' })
  expect(decided(allowed, odd).refusal?.reason).toBe('raw_hash_not_allowed')
})

test('numbers are exact up to 78 digits, and more than a counter holds is refused', () => {
  const most = 10n ** 78n - 1n
  const capped = { session: { max_spend_per_tx_native: String(most), max_spend_total_native: String(most) } }
  expect(decided(capped, sent(most)).refusal).toBeNull()
  expect(decided(capped, payload([native(most, friend), native(1n, friend)])).refusal?.reason).toBe(
    'per_tx_cap_exceeded',
  )
  const wei = 2n ** 256n - 1n
  expect(decided({ session: { max_spend_per_tx_native: String(wei - 1n) } }, sent(wei)).refusal?.actual).toBe(
    String(wei),
  )
  expect(decided({}, sent(most)).refusal).toBeNull()
  expect(decided({}, sent(most + 1n)).refusal).toMatchObject({
    reason: 'total_cap_exceeded',
    limit: String(most),
  })
  expect(decided({ organization: { token_mode: 'any' } }, paid(most + 1n)).refusal?.reason).toBe(
    'token_cap_exceeded',
  )
})

test('a payload that is refused before it is decoded is described as far as possible', () => {
  const compiled = compile(parseLayers({ session: { allowed_methods: [] } }), names)
  expect(evaluate(compiled, requestOf(sent(5n)))).toMatchObject({
    target: friend,
    value: 5n,
    payloadSha256: '1',
  })
  const broken = {
    ...requestOf(sent(5n)),
    decode: () => {
      throw new Error('no transaction')
    },
  }
  expect(evaluate(compiled, broken)).toMatchObject({
    refusal: { reason: 'method_not_allowed' },
    target: null,
    payloadSha256: '3',
  })
  expect(() => evaluate(compile(parseLayers({}), names), broken)).toThrow('no transaction')
})

test('a dry run returns every rule that was asked, in order', () => {
  const layers = {
    organization: { max_native_per_tx_cap: '9' },
    agent: { allowed_chains: ['base'] },
    session: { allowed_chains: ['base'], max_spend_total_native: '4', max_tx_count: 0 },
  }
  const { checks, refusal } = evaluate(compile(parseLayers(layers), names), {
    ...requestOf(sent(5n)),
    explain: true,
  })
  expect(checks.map(({ rule, layer, passed }) => `${layer} ${rule} ${passed}`)).toEqual([
    'agent allowed_chains true',
    'session allowed_chains true',
    'organization decode true',
    'organization max_native_per_tx_cap true',
    'session max_spend_total_native false',
  ])
  expect(refusal?.reason).toBe('total_cap_exceeded')
})

test('of a rule for every effect, a dry run returns the first check that passes and the one that fails', () => {
  const many = Array.from({ length: 200 }, (_, n) => `0x${n.toString(16).padStart(40, '0')}`)
  const layers = {
    agent: { allowed_recipients: [...many, friend] },
    session: { allowed_recipients: [friend] },
  }
  const explained = (effects: readonly AgentEffect[]) =>
    evaluate(compile(parseLayers(layers), names), { ...requestOf(payload(effects)), explain: true })
  const thousand = Array.from({ length: 1_000 }, () => native(1n, friend))
  const { checks } = explained(thousand)
  expect(checks.map(({ rule, layer }) => `${layer} ${rule}`)).toEqual([
    'organization decode',
    'agent allowed_recipients',
    'session allowed_recipients',
  ])
  const refused = explained([...thousand, native(1n, many[0] ?? '')])
  expect(refused.refusal).toMatchObject({
    reason: 'recipient_not_allowed',
    layer: 'session',
    actual: many[0],
  })
  expect(refused.checks.at(-1)).toMatchObject({ layer: 'session', actual: many[0], passed: false })
  expect(refused.checks).toHaveLength(4)
})

test('long lists are cut to what the wire takes', () => {
  const many = Array.from({ length: 256 }, (_, n) => `0x${n.toString(16).padStart(40, '0')}`)
  const { refusal } = decided({ session: { allowed_recipients: many } }, sent(1n))
  expect(refusal?.limit).toHaveLength(8192)
})

test('the kinds of intents are two methods; a message that stands for an operation is a transaction', () => {
  const kinds = ['message', 'typed_data', 'hash', 'transaction', 'user_operation', 'authorization'] as const
  expect(kinds.map((kind) => methodOf(kind, false))).toEqual([
    'signMessage',
    'signMessage',
    'signMessage',
    'sendTransaction',
    'sendTransaction',
    'sendTransaction',
  ])
  expect(methodOf('message', true)).toBe('sendTransaction')
  expect(methodOf('typed_data', true)).toBe('signMessage')
})

test('64 bare digits block the account of Near and that of Aptos', () => {
  const digits = `0${'aB'.repeat(31)}c`
  const refusal = (to: string, handle: string) =>
    decided({ organization: { blocked_recipients: [digits] } }, payload([native(1n, to)], handle)).refusal
  const blocked = { reason: 'recipient_blocked', limit: digits }
  expect(refusal(digits.toLowerCase(), 'near')).toMatchObject(blocked)
  expect(refusal(`0x${digits.toLowerCase()}`, 'aptos')).toMatchObject(blocked)
  const allowed = { session: { allowed_recipients: [digits] } }
  expect(decided(allowed, payload([native(1n, `0x${digits}`)], 'aptos')).refusal?.reason).toBe(
    'recipient_not_allowed',
  )
})
