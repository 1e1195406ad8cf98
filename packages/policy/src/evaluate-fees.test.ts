import type { AgentDecoded } from '@symbolon/networks'
import { chainByHandle } from '@symbolon/networks/testing/by-intent'
import { describe, expect, test } from 'vitest'
import { compile } from './compile.ts'
import { effectiveToJson } from './effective-to-json.ts'
import { native, payload, token } from './effects.fuzz.ts'
import { evaluate } from './evaluate.ts'
import { intersect } from './intersect.ts'
import { parseLayers } from './parse-layers.ts'
import { names, requestOf } from './random-layers.fuzz.ts'

const friend = `0x${'11'.repeat(20)}`
const decided = (layers: unknown, decoded: AgentDecoded) =>
  evaluate(compile(parseLayers(layers), names), requestOf(decoded))
const paying = (value: bigint, fee: bigint | null, chain = 'ethereum') =>
  payload(value > 0n ? [native(value, friend)] : [], chain, { fee })

describe('fees count', () => {
  test('the fee counts against every native total beside the value, and not against the cap per transaction', () => {
    const session = {
      max_spend_per_tx_native: '5',
      max_spend_total_native: '12',
      max_fee_per_tx_native: '7',
    }
    const { refusal, value, fee, spends } = decided({ session }, paying(5n, 7n))
    expect(refusal).toBeNull()
    expect([value, fee]).toEqual([5n, 7n])
    expect(spends[0]).toMatchObject({ counter: 'native ETH/18', amount: 12n, fee: 7n })
    expect(
      decided({ session: { ...session, max_spend_total_native: '11' } }, paying(5n, 7n)).refusal,
    ).toEqual({
      reason: 'total_cap_exceeded',
      layer: 'session',
      rule: 'max_spend_total_native',
      limit: '11',
      actual: '12',
      value: '5',
      fee: '7',
    })
    const organization = { max_native_total_cap: '11' }
    expect(decided({ organization, session }, paying(5n, 7n)).refusal).toMatchObject({
      reason: 'org_total_cap_exceeded',
      actual: '12',
      fee: '7',
    })
  })

  test('a payload that moves nothing native still spends its fee', () => {
    const usdc = `0x${'aa'.repeat(20)}`
    const session = {
      max_spend_total_native: '1',
      allowed_tokens: [{ chain: 'ethereum', token: usdc }],
    }
    const sent = payload([token(usdc, 9n, friend)], 'ethereum', { fee: 2n })
    expect(decided({ session }, sent).refusal).toMatchObject({ value: '0', fee: '2', actual: '2' })
  })

  test('a fee that somebody else pays costs nothing', () => {
    const { refusal, fee, spends } = decided({ session: { max_spend_total_native: '0' } }, paying(0n, null))
    expect([refusal, fee]).toEqual([null, null])
    expect(spends.map(({ counter }) => counter)).toEqual(['transactions'])
  })
})

describe('the ceiling of a chain', () => {
  const ceilings: Readonly<Record<string, bigint>> = {
    ethereum: 5n * 10n ** 16n,
    sepolia: 5n * 10n ** 16n,
    local: 5n * 10n ** 16n,
    base: 5n * 10n ** 15n,
    optimism: 5n * 10n ** 15n,
    arbitrum: 5n * 10n ** 15n,
    'base-sepolia': 5n * 10n ** 16n,
    polygon: 5n * 10n ** 18n,
    bitcoin: 100_000n,
    'bitcoin-testnet': 100_000n,
    tron: 50_000_000n,
    solana: 50_000_000n,
    near: 10n ** 24n,
    aptos: 10n ** 8n,
    stellar: 50_000_000n,
    cosmoshub: 1_000_000n,
    osmosis: 1_000_000n,
  }

  test.each(Object.entries(ceilings))('the fee on %s is bounded where no policy says', (handle, ceiling) => {
    expect(chainByHandle(handle)?.feeCeiling).toBe(ceiling)
    expect(decided({ session: {} }, paying(0n, ceiling, handle)).refusal).toBeNull()
    expect(decided({ session: {} }, paying(0n, ceiling + 1n, handle)).refusal).toEqual({
      reason: 'fee_cap_exceeded',
      layer: 'session',
      rule: 'max_fee_per_tx_native',
      limit: String(ceiling),
      actual: String(ceiling + 1n),
    })
  })

  const ceiling = 5n * 10n ** 16n
  const high = { max_fee_per_tx_native: String(ceiling * 2n) }
  const above = paying(0n, ceiling + 1n)

  test('the agent or the session may raise it, the organization only lowers', () => {
    expect(decided({ session: high }, above).refusal).toBeNull()
    expect(decided({ agent: high, session: {} }, above).refusal).toBeNull()
    const organization = { max_fee_per_tx_native_cap: String(ceiling * 2n) }
    expect(decided({ organization, session: {} }, above).refusal).toMatchObject({ layer: 'session' })
    const lower = { max_fee_per_tx_native_cap: '5' }
    expect(decided({ organization: lower, session: high }, paying(0n, 6n)).refusal).toMatchObject({
      reason: 'fee_cap_exceeded',
      layer: 'organization',
      rule: 'max_fee_per_tx_native_cap',
      limit: '5',
    })
  })

  test('a cap that a later version of a layer sets does not lift the ceiling of the sealed one', () => {
    expect(decided({ agent: [{}, high], session: {} }, above).refusal).toMatchObject({
      limit: String(ceiling),
    })
    expect(decided({ agent: [high, {}], session: {} }, above).refusal).toMatchObject({
      limit: String(ceiling),
    })
    expect(decided({ agent: [high, high], session: {} }, above).refusal).toBeNull()
  })

  test('the effective policy does not show it', () => {
    expect(effectiveToJson(intersect(parseLayers({ session: {} }), names)).max_fee_per_tx_native).toBeNull()
  })
})
