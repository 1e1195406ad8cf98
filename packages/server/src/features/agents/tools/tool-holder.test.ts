import type { EffectivePolicy } from '@symbolon/api'
import { expect, test } from 'vitest'
import { payingChains, sendingChains, signingChains, type ToolHolder } from './tool-holder.ts'

const token = { chain: 'base', token: `0x${'11'.repeat(20)}`, max_per_tx: null, max_total: null }
const holder = (policy: Partial<EffectivePolicy> = {}, more: Partial<ToolHolder> = {}): ToolHolder => ({
  policy: {
    allowed_methods: null,
    allowed_chains: null,
    blocked_chains: [],
    allowed_recipients: null,
    allowed_contracts: [],
    allowed_tokens: [token],
    token_mode: 'allowlist',
    ...policy,
  } as unknown as EffectivePolicy,
  supportedNetworks: ['evm', 'solana'],
  isEvmWallet: true,
  ...more,
})
const names = (chains: readonly { handle: string }[]) => chains.map(({ handle }) => handle)
const open = holder({ allowed_chains: ['base', 'polygon', 'solana', 'tron'] })

test('a tool signs where method, chains, networks of the organization and the key of the wallet agree', () => {
  expect(names(signingChains(open, 'signMessage'))).toEqual(['base', 'polygon'])
  expect(names(signingChains({ ...open, isEvmWallet: false }, 'signMessage'))).toEqual(['solana'])
  expect(names(signingChains({ ...open, supportedNetworks: ['tron'] }, 'signMessage'))).toEqual(['tron'])
  const blocked = holder({ allowed_chains: ['base', 'polygon'], blocked_chains: ['base'] })
  expect(names(signingChains(blocked, 'sendTransaction'))).toEqual(['polygon'])
  expect(signingChains(holder({ allowed_methods: ['sendTransaction'] }), 'signMessage')).toEqual([])
  expect(signingChains(holder({ allowed_methods: [] }), 'sendTransaction')).toEqual([])
  expect(signingChains(holder({ allowed_chains: [] }), 'signMessage')).toEqual([])
})

test('a session whose transactions are used up sends none, and signs messages all the same', () => {
  for (const used of [holder({ max_tx_count: 0 }), holder({ max_tx_count: 3 }, { transactionsLeft: 0 })]) {
    expect(signingChains(used, 'sendTransaction')).toEqual([])
    expect(sendingChains(used)).toEqual([])
    expect(names(payingChains(used))).toEqual(['base'])
  }
  for (const left of [
    holder({ max_tx_count: null }),
    holder({ max_tx_count: null }, { transactionsLeft: null }),
    holder({ max_tx_count: 3 }, { transactionsLeft: 1 }),
  ])
    expect(names(sendingChains(left))).toContain('base')
})

test('a policy without anybody to send to sends nothing, unless it names a contract', () => {
  expect(names(sendingChains(open))).toEqual(['base', 'polygon'])
  expect(sendingChains(holder({ allowed_recipients: [] }))).toEqual([])
  const contract = { chain: 'base', address: token.token }
  expect(names(sendingChains(holder({ allowed_recipients: [], allowed_contracts: [contract] })))).toContain(
    'base',
  )
})

test('payments need a signature and a token that the policy allows', () => {
  expect(names(payingChains(open))).toEqual(['base'])
  for (const policy of [
    { allowed_tokens: null },
    { allowed_tokens: [] },
    { token_mode: 'none' as const },
    { allowed_recipients: [] },
    { allowed_methods: ['sendTransaction' as const] },
    { allowed_chains: ['polygon'] },
  ])
    expect(payingChains(holder(policy)), JSON.stringify(policy)).toEqual([])
  expect(names(payingChains(holder({ token_mode: 'any', allowed_tokens: null })))).toContain('polygon')
})
