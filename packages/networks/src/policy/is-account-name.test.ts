import { describe, expect, test } from 'vitest'
import { toBase58Check } from '../codec/base58.ts'
import { chainAddress, chains, decodeForAgent, isAccountName } from '../testing/by-intent.ts'
import { testKey } from '../testing/oracle-signer.ts'
import { chainsOfRounds, validTransactions } from './transaction-rounds.fuzz.ts'

const stellar = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'

describe('isAccountName', () => {
  test('takes the addresses of every chain', () => {
    for (const chain of chains) {
      for (let index = 1; index <= 20; index++) {
        const address = chainAddress(chain, testKey(chain.curve, index).publicKey)
        expect(isAccountName(address), address).toBe(true)
      }
    }
  })

  test.each(chainsOfRounds)('takes the accounts and tokens that payloads of %s name', (handle) => {
    const chain = chains.find((each) => each.handle === handle)
    if (!chain) throw new Error('there is such a chain')
    for (const [bytes, publicKey] of validTransactions(handle, 60)) {
      const intent = { kind: 'transaction', network: chain.network, chain: handle, bytes } as const
      for (const { to, contract } of decodeForAgent(intent, chain.curve, publicKey).effects)
        for (const text of [to, contract]) if (text !== null) expect(isAccountName(text), text).toBe(true)
    }
  })

  test.each([
    '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    '0X3C44CDDDB6A900FA2B585DD299E03D12FA4293BC',
    '3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    '41a614f803b6fd780986a42c78ec9c7f77e6ded13c',
    '0xdEaD',
    '0x1::aptos_coin::AptosCoin',
    '0x1::pool::Lp<0x1::a::B, vector<0x2::c::D>>',
    'AB'.repeat(32),
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'mrS8eVKXguwufwvsVe9GtgGb7fif9UQeAu',
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    'So11111111111111111111111111111111111111112',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ',
    `USDC:${stellar}`,
    'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75',
    'cosmosvaloper1sjllsnramtg3ewxqwwrwjxfgc4n4ef9u2lcnj0',
    'ibc/0954E1C28EB7AF5B72D24F3BC2B47BBB2FDF91BDDFD57B74B99E133AED40972A',
    'factory/osmo1z0qrq605sjgcqpylfl4aa6s90x738j7m58wyatt0tdzflg2ha26q67k743/wbtc',
    'uatom',
    '1002000',
    'evil.near',
    'usdt.tether-token.near',
    'vitalik.eth',
  ])('takes the name %s', (text) => {
    expect(isAccountName(text)).toBe(true)
  })

  test.each([
    '',
    'x',
    '0x',
    `0x${'1'.repeat(65)}`,
    '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bg',
    'eip155:1:0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    'ethereum:0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC,0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS',
    'Evil.near',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    'bc1QW508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d28',
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3',
    'So1111111111111111111111111111111111111112O',
    stellar.replace('VSGZ', 'VSGA'),
    `USDC:${stellar.replace('VSGZ', 'VSGA')}`,
    'USDC:CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75',
    toBase58Check(0, new Uint8Array(19).fill(7)),
    // Base58 of 32 bytes and of a Tron account that look like a mistyped address of Bitcoin or Cosmos.
    'bc1gh3w6mu7sv1e754m2tccn4sigetfq9oxdq9ioghb',
    'cosmos1q22e5ipzsatc79oyixvh35k8zyiscdm1juku',
    'TB1RZL7Q5RTA2XR6KE429VEUMYQKJBHKEY',
    'name*domain.com',
    'Z'.repeat(256),
  ])('refuses the text %s', (text) => {
    expect(isAccountName(text)).toBe(false)
  })
})
