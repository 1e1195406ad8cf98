import { encodeDecimals, encodeLatestRoundData, type Hex } from '@symbolon/networks/evm'
import { chainByHandle } from '@symbolon/networks/testing/by-intent'
import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { evmChainsHttp } from '../evm/evm-chains-http.ts'
import { recorded } from '../evm/testing/recorded.ts'
import { refusal, type ScriptedNode, scriptedNode } from '../evm/testing/scripted-node.ts'
import { configuredPrices } from './configured-prices.ts'
import { decimalToE8 } from './exact-decimal.ts'

const closing: (() => unknown)[] = []
const nodes: ScriptedNode[] = []
afterEach(() => Promise.all(nodes.splice(0).map((node) => node.stop())))
afterAll(() => Promise.all(closing.map((close) => close())))

const local = chainByHandle('local')
if (local === undefined) throw new Error('no local chain')
const asset: Hex = '0x1111111111111111111111111111111111111111'
const euro: Hex = '0x2222222222222222222222222222222222222222'
const now = 1_800_000_000
const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, '0')

type Round = { answer: bigint; updatedAt: number; decimals: bigint; roundId: bigint; answeredInRound: bigint }
const good: Round = {
  answer: 330_000_000_000n,
  updatedAt: now,
  decimals: 8n,
  roundId: 5n,
  answeredInRound: 5n,
}

/** Two feeds on a scripted node: what the real one says of real feeds is in test/evm. */
async function pricesOf(given: {
  asset?: Partial<Round>
  euro?: Partial<Round>
  blockAt?: number
  fixed?: bigint
  call?: unknown
}) {
  const assetRound = { ...good, ...given.asset }
  const euroRound = { ...good, answer: 110_000_000n, ...given.euro }
  const clock = { now: now * 1_000, nowMs: () => clock.now }
  const node = await scriptedNode(({ method, params }) => {
    if (method === 'eth_getBlockByNumber') {
      const timestamp = `0x${(given.blockAt ?? now).toString(16)}`
      return { number: '0x1', hash: `0x${'ab'.repeat(32)}`, timestamp, baseFeePerGas: '0x1' }
    }
    if (method !== 'eth_call') return undefined
    if (given.call !== undefined) return given.call
    const { to, data } = params[0] as { to: Hex; data: Hex }
    const round = to === asset ? assetRound : euroRound
    if (data === encodeDecimals()) return `0x${word(round.decimals)}`
    expect(data).toBe(encodeLatestRoundData())
    const at = BigInt(round.updatedAt)
    return `0x${[round.roundId, round.answer, at, at, round.answeredInRound].map(word).join('')}`
  })
  nodes.push(node)
  const { log, metrics } = recorded()
  const address = { handle: 'local', rpcUrls: [node.url], confirmations: 1 }
  const { evm, close } = evmChainsHttp([address], { clock, log, metrics })
  closing.push(close)
  const feed = { handle: 'local', asset, euro, assetAgeMaxSeconds: 3_600, euroAgeMaxSeconds: 93_600 }
  const fixed = new Map(given.fixed === undefined ? [] : [['ETH', given.fixed]])
  const sources = { fixed, feeds: new Map([['ETH', feed]]), deviationMaxPercent: 50 }
  return { prices: configuredPrices(sources, { evm, clock, log }), clock, node }
}

describe('a price by two feeds', () => {
  test('is the asset in dollars over the euro in dollars', async () => {
    const { prices } = await pricesOf({ euro: { updatedAt: now - 80_000 } })
    expect(await prices.of(local)).toEqual({
      eurE8: 300_000_000_000n,
      source: `chainlink:local:${asset}:${euro}`,
      at: new Date((now - 80_000) * 1_000),
    })
  })

  test('is rounded up, whatever the decimals', async () => {
    const { prices } = await pricesOf({
      asset: { answer: 1n, decimals: 18n },
      euro: { answer: 3n, decimals: 0n },
    })
    expect((await prices.of(local)).eurE8).toBe(1n)
    const thirds = await pricesOf({
      asset: { answer: 10n, decimals: 0n },
      euro: { answer: 300n, decimals: 2n },
    })
    expect((await thirds.prices.of(local)).eurE8).toBe(333_333_334n)
  })

  test('is remembered for ten seconds, and read once by all who ask at the same time', async () => {
    const { prices, clock, node } = await pricesOf({})
    const blocks = () => node.methods.filter((method) => method === 'eth_getBlockByNumber').length
    await Promise.all([prices.of(local), prices.of(local)])
    clock.now += 9_999
    await prices.of(local)
    expect(blocks()).toBe(1)
    clock.now += 2
    await prices.of(local)
    expect(blocks()).toBe(2)
  })

  test.each<[string, string, Parameters<typeof pricesOf>[0]]>([
    ['an hour old', 'stale', { asset: { updatedAt: now - 3_601 } }],
    ['a day and two hours old in its euro part', 'stale', { euro: { updatedAt: now - 93_601 } }],
    ['old by the chain, whose clock is ahead', 'stale', { blockAt: now + 3_601 }],
    [
      'old by our clock, on a chain that stands still',
      'stale',
      { asset: { updatedAt: now - 3_601 }, blockAt: now - 3_601 },
    ],
    ['of the future', 'implausible', { asset: { updatedAt: now + 61 } }],
    ['carried over from an earlier round', 'stale', { asset: { answeredInRound: 4n } }],
    ['of a round that is not finished', 'unavailable', { euro: { updatedAt: 0 } }],
    ['of no round', 'unavailable', { asset: { roundId: 0n, answeredInRound: 0n } }],
    ['zero', 'implausible', { asset: { answer: 0n } }],
    ['negative', 'implausible', { asset: { answer: -1n } }],
    ['divided by nothing', 'implausible', { euro: { answer: 0n } }],
    ['of too many decimals', 'implausible', { asset: { decimals: 255n } }],
    ['half above the expected one', 'implausible', { fixed: 199_999_999_999n }],
    ['half below the expected one', 'implausible', { fixed: 600_000_000_001n }],
    ['of an address without a contract', 'unavailable', { call: '0x' }],
    ['of a feed that reverts', 'unavailable', { call: refusal(3, 'execution reverted', '0x') }],
  ])('that is %s is refused as %s', async (_name, code, given) => {
    const { prices } = await pricesOf(given)
    await expect(prices.of(local)).rejects.toMatchObject({ name: 'PriceError', code })
  })

  test('within its bounds is taken', async () => {
    for (const given of [
      { asset: { updatedAt: now - 3_600 } },
      { asset: { updatedAt: now + 60 } },
      { fixed: 200_000_000_000n },
      { fixed: 600_000_000_000n },
    ]) {
      const { prices } = await pricesOf(given)
      expect((await prices.of(local)).eurE8).toBe(300_000_000_000n)
    }
  })

  test('that the node does not give is unavailable, and not replaced by the fixed one', async () => {
    const { prices, node } = await pricesOf({ fixed: 300_000_000_000n })
    await node.stop()
    await expect(prices.of(local)).rejects.toMatchObject({ code: 'unavailable' })
  })
})

test('a fixed price is given as it is, and none is never guessed', async () => {
  const { log } = recorded()
  const sources = { fixed: new Map([['ETH', 5n]]), feeds: new Map(), deviationMaxPercent: 50 }
  const prices = configuredPrices(sources, { evm: new Map(), clock: { nowMs: () => 7 }, log })
  expect(await prices.of(local)).toEqual({ eurE8: 5n, source: 'fixed', at: new Date(7) })
  const polygon = chainByHandle('polygon')
  await expect(polygon && prices.of(polygon)).rejects.toMatchObject({ code: 'unavailable' })
})

test('a decimal price is never rounded down', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 24n), fc.integer({ min: 0, max: 18 }), (digits, scale) => {
      const text = digits.toString().padStart(scale + 1, '0')
      const decimal = scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
      const value = decimalToE8(decimal)
      if (text.length - scale > 12) return value === undefined
      const exact = digits * 10n ** 8n
      const unit = 10n ** BigInt(scale)
      return value !== undefined && value * unit >= exact && (value - 1n) * unit < exact
    }),
  )
})
