import type { AgentDecoded } from '@symbolon/networks'
import { expect, test } from 'vitest'
import { compile } from './compile.ts'
import type { PolicyReason, Refusal } from './decision.ts'
import { approval, call, native, payload, token } from './effects.fuzz.ts'
import { evaluate } from './evaluate.ts'
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

type Case = [layers: unknown, decoded: AgentDecoded, refusal: Partial<Refusal>]

/** For every reason a payload and the layers that refuse it so; the other two are said before the policy is asked. */
const cases: Record<Exclude<PolicyReason, 'wallet_archived' | 'wallet_mismatch'>, Case> = {
  method_not_allowed: [
    { session: { allowed_methods: ['signMessage'] } },
    sent(1n),
    { layer: 'session', rule: 'allowed_methods', limit: 'signMessage', actual: 'sendTransaction' },
  ],
  chain_blocked: [
    { organization: { blocked_chains: ['base'] }, session: { allowed_chains: ['base'] } },
    sent(1n),
    { layer: 'organization', rule: 'blocked_chains', limit: 'base', actual: 'base' },
  ],
  chain_not_allowed: [
    { agent: { allowed_chains: ['polygon', 'ethereum'] }, session: { allowed_chains: ['base'] } },
    sent(1n),
    { layer: 'agent', rule: 'allowed_chains', limit: 'polygon, ethereum', actual: 'base' },
  ],
  recipient_not_allowed: [
    { session: { allowed_recipients: [stranger] } },
    sent(1n),
    { layer: 'session', rule: 'allowed_recipients', limit: stranger, actual: friend },
  ],
  recipient_blocked: [
    { organization: { blocked_recipients: [friend] }, session: { allowed_recipients: [friend] } },
    sent(1n),
    { layer: 'organization', rule: 'blocked_recipients', limit: friend, actual: friend },
  ],
  contract_creation_not_allowed: [
    {},
    trapped('contract_creation_not_allowed'),
    { layer: 'organization', rule: 'decode' },
  ],
  contract_call_not_allowed: [
    { agent: {}, session: {} },
    payload([call(router, '0x12345678')]),
    { layer: 'agent', rule: 'allowed_contracts', actual: `${router} 0x12345678` },
  ],
  token_transfers_disabled: [
    { organization: { token_mode: 'none' }, session: usdcOn('base') },
    paid(1n),
    { layer: 'organization', rule: 'token_mode', limit: 'none', actual: usdc },
  ],
  token_not_allowed: [
    { session: usdcOn('ethereum') },
    paid(1n),
    {
      layer: 'session',
      rule: 'allowed_tokens',
      limit: `ethereum ${usdc.toLowerCase()}`,
      actual: usdc,
    },
  ],
  approval_not_allowed: [
    { session: usdcOn('base') },
    payload([approval(usdc, null, friend)]),
    { layer: 'organization', rule: 'approvals', actual: `unlimited ${usdc}` },
  ],
  account_admin_not_allowed: [
    {},
    trapped('account_admin_not_allowed'),
    { layer: 'organization', rule: 'decode' },
  ],
  authorization_not_allowed: [
    {},
    trapped('authorization_not_allowed'),
    { layer: 'organization', rule: 'decode' },
  ],
  typed_data_not_allowed: [{}, trapped('typed_data_not_allowed'), { layer: 'organization', rule: 'decode' }],
  raw_hash_not_allowed: [
    { organization: [{ allow_raw_hash: true }, null] },
    trapped('raw_hash_not_allowed'),
    { layer: 'organization', rule: 'allow_raw_hash', limit: 'false' },
  ],
  message_is_transaction: [
    { organization: { allow_raw_hash: true } },
    trapped('message_is_transaction'),
    { layer: 'organization', rule: 'decode' },
  ],
  message_not_allowed: [{}, trapped('message_not_allowed'), { layer: 'organization', rule: 'decode' }],
  sign_in_not_allowed: [
    { agent: { allowed_sign_in_domains: ['App.example:3000'] }, session: {} },
    payload([], 'base', { signIn: { domain: 'app.example' } }),
    { layer: 'agent', rule: 'allowed_sign_in_domains', limit: 'App.example:3000', actual: 'app.example' },
  ],
  payload_undecodable: [{}, trapped('payload_undecodable'), { layer: 'organization', rule: 'decode' }],
  org_per_tx_cap_exceeded: [
    { organization: { max_native_per_tx_cap: '4' }, session: { max_spend_per_tx_native: '4' } },
    sent(5n),
    { layer: 'organization', rule: 'max_native_per_tx_cap', limit: '4', actual: '5' },
  ],
  per_tx_cap_exceeded: [
    { agent: { max_spend_per_tx_native: '4' }, session: { max_spend_per_tx_native: '4' } },
    sent(5n),
    { layer: 'agent', rule: 'max_spend_per_tx_native', limit: '4', actual: '5' },
  ],
  fee_cap_exceeded: [
    { agent: { max_fee_per_tx_native: '9' }, session: { max_fee_per_tx_native: '8' } },
    payload([native(1n, friend)], 'base', { fee: 9n }),
    { layer: 'session', rule: 'max_fee_per_tx_native', limit: '8', actual: '9' },
  ],
  token_cap_exceeded: [
    { agent: usdcOn('base', { max_per_tx: '4' }), session: usdcOn('base') },
    paid(5n),
    { layer: 'agent', rule: `allowed_tokens[base ${usdc}].max_per_tx`, limit: '4', actual: '5' },
  ],
  total_cap_exceeded: [
    { session: { max_spend_total_native: '4' } },
    sent(5n),
    { layer: 'session', rule: 'max_spend_total_native', limit: '4', actual: '5', value: '5', fee: '0' },
  ],
  org_total_cap_exceeded: [
    { organization: { max_native_total_cap: '4' }, session: { max_spend_total_native: '4' } },
    sent(5n),
    { layer: 'organization', rule: 'max_native_total_cap', limit: '4', actual: '5' },
  ],
  tx_count_exceeded: [
    { session: { max_tx_count: 0 } },
    sent(5n),
    { layer: 'session', rule: 'max_tx_count', limit: '0', actual: '1' },
  ],
}

test.each(Object.entries(cases))(
  '%s is said with its layer, rule, limit and what was asked',
  (reason, entry) => {
    const [layers, decoded, refusal] = entry
    const found = decided(layers, decoded)
    expect(found.refusal).toMatchObject({ reason, ...refusal })
    expect(found.spends).toEqual([])
  },
)

const effects = [native(5n, friend), call(router, '0x12345678'), token(usdc, 5n, friend)]
const bad = payload(effects, 'base', { fee: 5n, trap: 'payload_undecodable' })
const wrong = {
  organization: {
    blocked_chains: ['base'],
    blocked_recipients: [friend],
    token_mode: 'none',
    max_native_per_tx_cap: '4',
    max_native_total_cap: '4',
    max_fee_per_tx_native_cap: '4',
  },
  agent: { allowed_chains: [], allowed_recipients: [], allowed_contracts: [], allowed_tokens: [] },
  session: {
    allowed_methods: [],
    max_spend_per_tx_native: '4',
    max_spend_total_native: '4',
    max_fee_per_tx_native: '4',
    max_tx_count: 0,
  },
}
const steps: [reason: string, mended: (layers: typeof wrong) => object][] = [
  [
    'method_not_allowed',
    ({ session }) => ({ session: { ...session, allowed_methods: ['sendTransaction'] } }),
  ],
  ['chain_blocked', ({ organization }) => ({ organization: { ...organization, blocked_chains: [] } })],
  ['chain_not_allowed', ({ agent }) => ({ agent: { ...agent, allowed_chains: ['base'] } })],
  ['payload_undecodable', () => ({})],
  [
    'recipient_blocked',
    ({ organization }) => ({ organization: { ...organization, blocked_recipients: [] } }),
  ],
  ['recipient_not_allowed', ({ agent }) => ({ agent: { ...agent, allowed_recipients: [friend] } })],
  [
    'contract_call_not_allowed',
    ({ agent }) => ({ agent: { ...agent, allowed_contracts: [{ chain: 'base', address: router }] } }),
  ],
  [
    'token_transfers_disabled',
    ({ organization }) => ({ organization: { ...organization, token_mode: 'any' } }),
  ],
  [
    'token_not_allowed',
    ({ agent }) => ({ agent: { ...agent, ...usdcOn('base', { max_per_tx: '4', max_total: '4' }) } }),
  ],
  [
    'org_per_tx_cap_exceeded',
    ({ organization }) => ({ organization: { ...organization, max_native_per_tx_cap: '5' } }),
  ],
  [
    'fee_cap_exceeded',
    ({ organization }) => ({ organization: { ...organization, max_fee_per_tx_native_cap: '5' } }),
  ],
  ['per_tx_cap_exceeded', ({ session }) => ({ session: { ...session, max_spend_per_tx_native: '5' } })],
  ['fee_cap_exceeded', ({ session }) => ({ session: { ...session, max_fee_per_tx_native: '5' } })],
  [
    'token_cap_exceeded',
    ({ agent }) => ({ agent: { ...agent, ...usdcOn('base', { max_per_tx: '5', max_total: '4' }) } }),
  ],
  [
    'org_total_cap_exceeded',
    ({ organization }) => ({ organization: { ...organization, max_native_total_cap: '10' } }),
  ],
  ['total_cap_exceeded', ({ session }) => ({ session: { ...session, max_spend_total_native: '10' } })],
  ['token_cap_exceeded', ({ agent }) => ({ agent: { ...agent, ...usdcOn('base') } })],
  ['tx_count_exceeded', ({ session }) => ({ session: { ...session, max_tx_count: 1 } })],
]

test('the first reason is stable: each rule is asked only when all before it have passed', () => {
  let layers = wrong
  let decoded: AgentDecoded = bad
  for (const [reason, mended] of steps) {
    expect(decided(layers, decoded).refusal?.reason).toBe(reason)
    layers = { ...layers, ...mended(layers) }
    if (reason === 'payload_undecodable') decoded = { ...bad, trap: null }
  }
  expect(decided(layers, decoded).refusal).toBeNull()
})

test('the limit is what the rule names, in the words of the rule', () => {
  const dead = '0x000000000000000000000000000000000000dEaD'
  const early = '0x0B306BF915C4d645ff596e518fAf3F9669b97016'
  const shown = (layers: unknown, decoded: AgentDecoded) => decided(layers, decoded).refusal?.limit
  const blocked = { organization: { blocked_recipients: [dead, friend] }, session: {} }
  expect(shown(blocked, sent(1n))).toBe(`${dead}, ${friend}`)
  const listed = [
    { chain: 'base', token: early, max_total: '7' },
    { chain: 'solana-devnet', token: 'So11111111111111111111111111111111111111112' },
  ]
  expect(shown({ session: { allowed_tokens: listed } }, paid(1n))).toBe(
    `base ${early}, solana-devnet So11111111111111111111111111111111111111112`,
  )
  const chains = { organization: [{ blocked_chains: ['base', 'bitcoin-testnet'] }, null], session: {} }
  expect(shown(chains, sent(1n))).toBe('base, bitcoin-testnet')
})
