import { describe, expect, test } from 'vitest'
import { readChainConfig } from './chain-config.ts'

const feed = '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419'
const euroFeed = '0xb49f677943bc038e9857d61e7d053caa2c1734c1'

function read(environment: Record<string, string>) {
  const complaints: string[] = []
  const config = readChainConfig(environment, (variable, says) => complaints.push(`${variable} ${says}`))
  return { ...config, complaints }
}

const local = {
  SYMBOLON_RPC__LOCAL: 'http://127.0.0.1:8545',
  SYMBOLON_BUNDLER__LOCAL: 'http://127.0.0.1:4337',
  SYMBOLON_PAYMASTER__LOCAL: 'http://127.0.0.1:4338',
  SYMBOLON_PRICE__ETH: '3000',
}

describe('the chains', () => {
  test('of an environment without any are none', () => {
    const { chains, prices, complaints } = read({ PATH: '/bin' })
    expect([chains, prices.fixed.size, prices.feeds.size, complaints]).toEqual([[], 0, 0, []])
  })

  test('have their nodes in order, and the rest as given or by default', () => {
    const { chains, complaints } = read({
      ...local,
      SYMBOLON_PAYMASTER_CONTEXT__LOCAL: '{"policy":"p"}',
      SYMBOLON_RPC__BASE_SEPOLIA: 'https://a.test/v2/key, http://10.0.0.7:8545',
      SYMBOLON_CONFIRMATIONS__BASE_SEPOLIA: '12',
      SYMBOLON_RPC__LOCAL_2: 'http://127.0.0.1:8546',
    })
    expect(complaints).toEqual([])
    expect(chains).toEqual([
      {
        handle: 'base-sepolia',
        rpcUrls: ['https://a.test/v2/key', 'http://10.0.0.7:8545'],
        confirmations: 12,
      },
      {
        handle: 'local',
        rpcUrls: ['http://127.0.0.1:8545'],
        bundlerUrl: 'http://127.0.0.1:4337',
        paymasterUrl: 'http://127.0.0.1:4338',
        paymasterContext: { policy: 'p' },
        confirmations: 2,
      },
      { handle: 'local-2', rpcUrls: ['http://127.0.0.1:8546'], confirmations: 2 },
    ])
  })

  test.each<[string, Record<string, string>, RegExp]>([
    [
      'a bundler without a node',
      { SYMBOLON_BUNDLER__BASE: 'https://b.test' },
      /BUNDLER__BASE needs SYMBOLON_RPC__BASE/,
    ],
    [
      'a paymaster without a bundler',
      {
        SYMBOLON_RPC__BASE: 'https://r.test',
        SYMBOLON_PAYMASTER__BASE: 'https://p.test',
        SYMBOLON_PRICE__ETH: '1',
      },
      /PAYMASTER__BASE needs SYMBOLON_BUNDLER__BASE/,
    ],
    [
      'a paymaster without a price',
      { ...local, SYMBOLON_PRICE__ETH: '', SYMBOLON_PRICE__POL: '1' },
      /PAYMASTER__LOCAL needs SYMBOLON_PRICE__ETH or SYMBOLON_PRICE_FEED__ETH/,
    ],
    [
      'a context without a paymaster',
      { SYMBOLON_PAYMASTER_CONTEXT__BASE: '{}' },
      /needs SYMBOLON_PAYMASTER__BASE/,
    ],
    ['confirmations without a node', { SYMBOLON_CONFIRMATIONS__BASE: '3' }, /needs SYMBOLON_RPC__BASE/],
    ['an unknown chain', { SYMBOLON_RPC__GNOSIS: 'https://r.test' }, /RPC__GNOSIS names no EVM chain/],
    [
      'a chain of another network',
      { SYMBOLON_RPC__SOLANA: 'https://r.test' },
      /RPC__SOLANA names no EVM chain/,
    ],
    ['a node that is not a URL', { SYMBOLON_RPC__BASE: 'secret-host' }, /RPC__BASE must be 1 to 8/],
    ['a node of another protocol', { SYMBOLON_RPC__BASE: 'wss://secret-host' }, /RPC__BASE must be 1 to 8/],
    ['an empty node', { SYMBOLON_RPC__BASE: 'https://secret-host,' }, /RPC__BASE must be 1 to 8/],
    [
      'a bundler that is not a URL',
      { ...local, SYMBOLON_BUNDLER__LOCAL: 'secret-host' },
      /BUNDLER__LOCAL must be an http/,
    ],
    [
      'no confirmations',
      { ...local, SYMBOLON_CONFIRMATIONS__LOCAL: '0' },
      /CONFIRMATIONS__LOCAL must be a whole/,
    ],
    [
      'a context that is not an object',
      { ...local, SYMBOLON_PAYMASTER_CONTEXT__LOCAL: '[secret-host' },
      /a JSON object/,
    ],
    ['a price that is none', { SYMBOLON_PRICE__ETH: '3.000,00' }, /PRICE__ETH must be EUR/],
    ['a price of nothing', { SYMBOLON_PRICE__ETH: '0.0' }, /PRICE__ETH must be EUR/],
    ['a price of an unknown symbol', { SYMBOLON_PRICE__BTC: '3' }, /PRICE__BTC names no coin/],
    [
      'a feed of a chain without a node',
      { SYMBOLON_PRICE_FEED__ETH: `ethereum:${feed}:${euroFeed}` },
      /needs a node/,
    ],
    [
      'a feed without a second one',
      { SYMBOLON_PRICE_FEED__ETH: `ethereum:${feed}` },
      /PRICE_FEED__ETH must be <handle>/,
    ],
    [
      'a feed with a mistyped address',
      { SYMBOLON_PRICE_FEED__ETH: `a:${feed.replace('F', 'f')}:${euroFeed}` },
      /<handle>/,
    ],
    ['an age that is none', { SYMBOLON_PRICE_AGE_MAX: '3600' }, /PRICE_AGE_MAX must be two/],
    [
      'a deviation that is none',
      { SYMBOLON_PRICE_DEVIATION_MAX: '0' },
      /PRICE_DEVIATION_MAX must be a percentage/,
    ],
  ])('refuse %s by the name of its variable, without its value', (_name, environment, complaint) => {
    const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
    const { complaints } = read(given)
    expect(complaints).toEqual([expect.stringMatching(complaint)])
    expect(complaints.join()).not.toContain('secret-host')
  })
})

describe('the prices', () => {
  test('are EUR x 10^8, rounded up', () => {
    const { prices } = read({ SYMBOLON_PRICE__ETH: '2999.99', SYMBOLON_PRICE__POL: '0.1234567811' })
    expect(Object.fromEntries(prices.fixed)).toEqual({ ETH: 299_999_000_000n, POL: 12_345_679n })
  })

  test('come from feeds with their bounds', () => {
    const { prices, complaints } = read({
      SYMBOLON_RPC__ETHEREUM: 'https://r.test',
      SYMBOLON_PRICE_FEED__ETH: `ethereum:${feed}:${euroFeed}`,
      SYMBOLON_PRICE_AGE_MAX: '1800:90000',
      SYMBOLON_PRICE_DEVIATION_MAX: '20',
    })
    expect(complaints).toEqual([])
    expect(prices.deviationMaxPercent).toBe(20)
    expect(prices.feeds.get('ETH')).toEqual({
      handle: 'ethereum',
      asset: feed,
      euro: '0xb49f677943BC038e9857d61E7d053CaA2C1734C1',
      assetAgeMaxSeconds: 1_800,
      euroAgeMaxSeconds: 90_000,
    })
    expect(read({}).prices.deviationMaxPercent).toBe(50)
  })
})
