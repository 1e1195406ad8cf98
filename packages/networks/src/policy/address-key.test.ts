import { AccountAddress, createObjectAddress } from '@aptos-labs/ts-sdk'
import { Asset, getLiquidityPoolId, LiquidityPoolAsset, Networks, StrKey } from '@stellar/stellar-base'
import { describe, expect, it } from 'vitest'
import { networks } from '../networks.ts'
import {
  addressKey,
  addressOfKey,
  assetKey,
  chainByHandle,
  decodeForAgent,
  policyChains,
  policyNames,
} from '../testing/by-intent.ts'
import { chainsOfRounds, validTransactions } from './transaction-rounds.fuzz.ts'

const stellar = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'
/** The same account with number 0 (SEP-23). */
const muxed = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ'

const same: readonly (readonly [what: string, one: string, other: string])[] = [
  [
    'EVM in any case',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x52908400098527886e0f7030069857d2e4169ee7',
  ],
  [
    'EVM without 0x',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '52908400098527886E0F7030069857D2E4169EE7',
  ],
  ['EVM without 0x, with zeros in front', '0xdEaD', `${'0'.repeat(36)}dEaD`],
  [
    'EVM behind 0X',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    `0X${'52908400098527886E0F7030069857D2E4169EE7'}`,
  ],
  [
    'Tron in base58 and in hex',
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    '41a614f803b6fd780986a42c78ec9c7f77e6ded13c',
  ],
  ['Tron behind 0x', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', '0x41A614F803B6FD780986A42C78EC9C7F77E6DED13C'],
  ['Stellar muxed or not', stellar, muxed],
  ['Aptos short and long', '0xA', `0x${'a'.padStart(64, '0')}`],
  ['Aptos with a zero in front', `0x${'b'.repeat(63)}`, `0x0${'b'.repeat(63)}`],
  [
    'Bitcoin in upper case',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  ],
  [
    'Bitcoin of both networks',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  ],
  [
    'Bitcoin with digits of hex alone',
    'BC1F266F284C0F23820A28D6709C38C23DFEA909D32D25DC5307A6E582AC4FD',
    'bc1f266f284c0f23820a28d6709c38c23dfea909d32d25dc5307a6e582ac4fd',
  ],
  [
    'Bitcoin base58 of both networks',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    'mrS8eVKXguwufwvsVe9GtgGb7fif9UQeAu',
  ],
  [
    'Cosmos in upper case',
    'COSMOS1DEPK54CUAJGKZEA6ZPGKQ36TNJWDZV4AFC3D27',
    'cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27',
  ],
  ['Near implicit', 'AB'.repeat(32), 'ab'.repeat(32)],
  ['a Move type with a zero in front', '0x1::aptos_coin::AptosCoin', '0X01::aptos_coin::AptosCoin'],
  [
    'a Move type with its arguments spelled otherwise',
    `0x${'b'.padStart(64, '0')}::pool::Lp<0x1::a::B, vector<0x${'c0'.padStart(64, '0')}::d::E>>`,
    '0x0B::pool::Lp< 0x01::a::B,vector<0xC0::d::E > >',
  ],
]

const different: readonly (readonly [what: string, one: string, other: string])[] = [
  ['Near implicit and Aptos', 'ab'.repeat(32), `0x${'ab'.repeat(32)}`],
  [
    'a wrong checksum of Bitcoin',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
  ],
  [
    'mixed case of Bitcoin',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bc1QW508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  ],
  ['a wrong checksum of Stellar', stellar, muxed.replace('ACJUQ', 'ACJUA')],
  [
    'Solana in another case',
    'So11111111111111111111111111111111111111112',
    'so11111111111111111111111111111111111111112',
  ],
  [
    'Cosmos and Osmosis',
    'cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27',
    'osmo1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27',
  ],
  ['an asset code in another case', `USDC:${stellar}`, `usdc:${stellar}`],
  ['the empty text and zero', '', '0x0'],
  ['39 digits and the same behind 0x', 'b'.repeat(39), `0x${'b'.repeat(39)}`],
  ['a Move type in another case', '0x1::coin::T', '0x1::coin::t'],
]

describe('addressKey', () => {
  it.each(same)('is one for %s', (_, one, other) => {
    expect(addressKey(one)).toBe(addressKey(other))
  })

  it.each(different)('differs for %s', (_, one, other) => {
    expect(addressKey(one)).not.toBe(addressKey(other))
  })

  it.each([...same, ...different].flatMap(([, one, other]) => [one, other]))(
    'stays for its own key: %s',
    (text) => {
      expect(addressKey(addressKey(text))).toBe(addressKey(text))
    },
  )
})

/** Tokens as the networks' decoders write them: the key must lead back to the very text. */
const tokens: readonly (readonly [chain: string, token: string])[] = [
  ['base', '0x52908400098527886E0F7030069857D2E4169EE7'],
  ['local', '0x0B306BF915C4d645ff596e518fAf3F9669b97016'],
  ['ethereum', '0x00000000219ab540356cBB839Cbe05303d7705Fa'],
  ['polygon', '0x0000000000000000000000000000000000001010'],
  ['ethereum', '0x0000000000000000000000000000000000000000'],
  ['aptos', '0xb'],
  ['aptos', '0x0'],
  ['aptos', `0x${'10'.padStart(64, '0')}`],
  ['aptos-testnet', `0x00${'c'.repeat(62)}`],
  ['aptos', '0x357b0b74bc833e95a115ad22604854d6b0fca151cecd94111770e5d6ffc9dc2b'],
  ['aptos', '0x5e156f1207d0ebfa19a9eeff00d62a282278fb8719f4fab3a586a0a2c0fffbea::coin::T'],
  ['near', '0x00000000219ab540356cbb839cbe05303d7705fa'],
  ['near', `00${'ab'.repeat(31)}`],
  ['near-testnet', 'usdt.tether-token.near'],
  ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['tron', '0001002000'],
  ['solana', 'So11111111111111111111111111111111111111112'],
  ['cosmoshub', 'cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27'],
  ['osmosis', 'ibc/0954E1C28EB7AF5B72D24F3BC2B47BBB2FDF91BDDFD57B74B99E133AED40972A'],
  ['stellar', `USDC:${stellar}`],
]

describe('addressOfKey', () => {
  const nameOf = (handle: string, text: string) => {
    const chain = chainByHandle(handle)
    if (!chain) throw new Error('there is such a chain')
    return addressOfKey(addressKey(text), chain)
  }

  it.each(tokens)('names on %s what is written %s', (handle, token) => {
    expect(nameOf(handle, token)).toBe(token)
    if (/^0x[^:]+$/.test(token)) expect(nameOf(handle, token.toLowerCase())).toBe(token)
  })

  it.each(chainsOfRounds)('names the tokens of %s as its decoder does', (handle) => {
    const chain = chainByHandle(handle)
    if (!chain) throw new Error('there is such a chain')
    for (const [bytes, publicKey] of validTransactions(handle, 60)) {
      const intent = { kind: 'transaction', network: chain.network, chain: handle, bytes } as const
      for (const { asset, isNative } of decodeForAgent(intent, chain.curve, publicKey).effects)
        if (asset !== null && !isNative) expect(nameOf(handle, asset)).toBe(asset)
    }
  })

  it('leaves a key of another form than its network has as it is', () => {
    expect(nameOf('base', `0x${'ab'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
    expect(nameOf('near', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
  })
})

/** Accounts of bridges on Aptos, which issue coins. */
const layerZero = '0xf22bede237a07e121b56d91a491eb7bcdfd1f5907926a9e58338f964a01b17fa'
const wormhole = '0x5e156f1207d0ebfa19a9eeff00d62a282278fb8719f4fab3a586a0a2c0fffbea'

/** Tokens that their chain alone makes one, Stellar's by its library. */
const issuer = stellar
const usd = new Asset('USD', issuer)
const pool = new LiquidityPoolAsset(Asset.native(), usd, 30)
const poolId = getLiquidityPoolId('constant_product', pool.getLiquidityPoolParameters())
const poolHex = poolId.toString('hex')
const sameTokens: readonly (readonly [chain: string, ...names: string[]])[] = [
  ['stellar', `USD:${issuer}`, usd.contractId(Networks.PUBLIC)],
  ['stellar-testnet', `USD:${issuer}`, usd.contractId(Networks.TESTNET)],
  ['stellar', `A:${issuer}`, new Asset('A', issuer).contractId(Networks.PUBLIC)],
  ['stellar', `LONGER:${issuer}`, new Asset('LONGER', issuer).contractId(Networks.PUBLIC)],
  ['stellar', 'XLM', 'native', Asset.native().contractId(Networks.PUBLIC)],
  ['stellar-testnet', 'XLM', 'native', Asset.native().contractId(Networks.TESTNET)],
  ['stellar', `XLM/USD:${issuer}/30`, `native/USD:${issuer}/30`, poolHex, poolHex.toUpperCase()],
  ['cosmoshub', 'ATOM', 'uatom'],
  ['osmosis', 'OSMO', 'uosmo'],
  [
    'aptos',
    'APT',
    '0xa',
    `0x${'a'.padStart(64, '0')}`,
    '0x1::aptos_coin::AptosCoin',
    '0x01::aptos_coin::AptosCoin',
  ],
  // Bridged coins of mainnet with the fungible assets that its framework paired with them.
  ...(
    [
      [`${layerZero}::asset::USDC`, '0x2b3be0a97a73c87ff62cbdd36837a9fb5bbd1d7f06a73b7ed62ec15c5326c1b8'],
      [`${layerZero}::asset::USDT`, '0xe568e9322107a5c9ba4cbd05a630a5586aa73e744ada246c3efb0f4ce3e295f3'],
      [`${wormhole}::coin::T`, '0x54fc0d5fa5ad975ede1bf8b1c892ae018745a1afd4a4da9b70bb6e5448509fc0'],
    ] as const
  ).map(([coin, metadata]) => ['aptos', coin, metadata, metadata.toUpperCase().replace('X', 'x')] as const),
]
const otherTokens: readonly (readonly [chain: string, one: string, other: string])[] = [
  ['stellar', `USD:${issuer}`, usd.contractId(Networks.TESTNET)],
  ['stellar', `USD:${issuer}`, `usd:${issuer}`],
  ['stellar', `USD:${issuer.slice(0, -1)}Y`, usd.contractId(Networks.PUBLIC)],
  ['stellar-testnet', 'XLM', Asset.native().contractId(Networks.PUBLIC)],
  ['base', `USD:${issuer}`, usd.contractId(Networks.PUBLIC)],
  ['stellar', `XLM/USD:${issuer}/30`, `XLM/USD:${issuer}/31`],
  ['osmosis', 'OSMO', 'uatom'],
  ['aptos', `${layerZero}::asset::USDC`, `${layerZero}::asset::USDT`],
  ['aptos', `${wormhole}::coin::T`, '0x2b3be0a97a73c87ff62cbdd36837a9fb5bbd1d7f06a73b7ed62ec15c5326c1b8'],
]

const aptos = () => {
  const chain = chainByHandle('aptos')
  if (!chain) throw new Error('there is such a chain')
  return chain
}

describe('assetKey', () => {
  it.each(sameTokens)('is one on %s for %s and its other names', (chain, ...names) => {
    expect(new Set(names.map((name) => assetKey(chain, name))).size).toBe(1)
    for (const name of names) {
      expect(assetKey(chain, assetKey(chain, name))).toBe(assetKey(chain, name))
      expect(policyNames.assetKeys(name)).toContain(assetKey(chain, name))
    }
  })

  it.each([...sameTokens, ...otherTokens])(
    'has on any chain like %s no key for %s that assetKeys lacks',
    (_, name) => {
      const keys = networks.chains.map(({ handle }) => assetKey(handle, name))
      expect(policyNames.assetKeys(name)).toEqual([...new Set([addressKey(name), ...keys])])
      expect(policyNames.remembered().assetKeys(name)).toEqual(policyNames.assetKeys(name))
    },
  )

  it.each(otherTokens)('differs on %s for %s and %s', (chain, one, other) => {
    expect(assetKey(chain, one)).not.toBe(assetKey(chain, other))
  })

  it('is the object that Aptos names by a coin’s type, by the network’s own library', () => {
    // Types whose account has no zeros in front: the framework's name of them is the text itself.
    for (const type of [`${wormhole}::coin::T`, `${layerZero}::pool::Lp<0x1::a::B, vector<u8>>`])
      expect(addressOfKey(assetKey('aptos', type), aptos())).toBe(
        createObjectAddress(AccountAddress.A, type).toStringLong(),
      )
    const [short, long] = ['0xb1e::coin::T', `0x${'b1e'.padStart(64, '0')}::coin::T`]
    expect(addressOfKey(assetKey('aptos', long), aptos())).toBe(
      createObjectAddress(AccountAddress.A, short).toStringLong(),
    )
  })

  it('is the contract of an issued asset and the id of a pool, by the network’s own library', () => {
    expect(assetKey('stellar', `USD:${issuer}`)).toBe(usd.contractId(Networks.PUBLIC))
    expect(assetKey('stellar', poolHex)).toBe(StrKey.encodeLiquidityPool(poolId))
  })

  it('is the symbol of the native asset alone', () => {
    const natives = ['XLM', 'native', Asset.native().contractId(Networks.PUBLIC)]
    for (const name of natives) expect(policyNames.isNativeAsset('stellar', name), name).toBe(true)
    for (const name of [`XLM:${issuer}`, Asset.native().contractId(Networks.TESTNET), 'ETH'])
      expect(policyNames.isNativeAsset('stellar', name), name).toBe(false)
    expect(policyNames.isNativeAsset('base', 'ETH')).toBe(true)
  })
})

describe('policyChains', () => {
  it('joins the handles whose bytes name no chain, the own one first', () => {
    expect(policyChains({ handle: 'solana-devnet' })).toEqual(['solana-devnet', 'solana'])
    expect(policyChains({ handle: 'bitcoin' })).toEqual(['bitcoin', 'bitcoin-testnet'])
    expect(policyChains({ handle: 'aptos' })).toEqual(['aptos'])
    expect(policyChains({ handle: 'base' })).toEqual(['base'])
  })
})
