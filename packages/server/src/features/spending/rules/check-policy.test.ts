import { expect, test } from 'vitest'
import { checkPolicy } from './check-policy.ts'

const evm = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const issuer = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'
const soroban = 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75'
const osmosis = 'osmo1z0qrq605sjgcqpylfl4aa6s90x738j7m58wyatt0tdzflg2ha26q67k743'
const digits = 'ab'.repeat(32)

type Policy = Parameters<typeof checkPolicy>[0]

function refusedIn(policy: Policy): unknown {
  const { details } = checkPolicy(policy) ?? {}
  return ((details as { issues?: { path: unknown }[] } | undefined)?.issues ?? []).map(({ path }) => path)
}

test.each([
  [
    'local',
    [evm, evm.toLowerCase(), evm.slice(2), '0xdEaD', 'ETH'],
    ['0x', `${evm}0`, `0x${digits}`, 'USDC'],
  ],
  ['base', [`0X${evm.slice(2)}`], [`eip155:8453:${evm}`, 'usdc.eth', '0x1::aptos_coin::AptosCoin', tron]],
  [
    'tron',
    [tron, '41a614f803b6fd780986a42c78ec9c7f77e6ded13c', '1002000', 'TRX'],
    [evm, tron.slice(1), 'USDT'],
  ],
  ['solana', [mint, 'SOL'], [evm, mint.slice(2), 'USDC']],
  ['near', ['usdt.tether-token.near', digits, evm, 'NEAR'], ['Usdt.near', 'USDC near']],
  ['aptos', [`0x${digits}`, '0x1::aptos_coin::AptosCoin', 'APT'], [digits, mint, 'USDC']],
  ['stellar', [`USDC:${issuer}`, soroban, 'native'], ['USDC', `USDC:${issuer.replace('VSGZ', 'VSGA')}`, evm]],
  ['osmosis', [osmosis, 'uion', 'factory/osmo1a/x'], [osmosis.replace('k743', 'k744'), evm, 'u!']],
  ['bitcoin', ['BTC'], ['USDT', evm]],
])('tokens of %s are listed by a name that payloads there can have', (chain, taken, refused) => {
  const listOf = (names: string[]) => ({ allowed_tokens: names.map((token) => ({ chain, token })) })
  expect(refusedIn(listOf(taken))).toEqual([])
  expect(refusedIn(listOf(refused))).toEqual(refused.map((_, index) => ['allowed_tokens', index, 'token']))
})

test.each([
  ['local', [evm], ['ETH', 'https://app.example', `0x${digits}`]],
  ['tron', [tron, '0x41a614f803b6fd780986a42c78ec9c7f77e6ded13c'], [evm]],
  ['solana', [mint], [evm, 'Jupiter']],
  ['near', ['dex.near'], ['Dex.near']],
  ['aptos', ['0x1', `0x${digits}`], ['coin::transfer']],
  ['stellar', [soroban], [`${soroban.slice(0, -1)}A`]],
  ['cosmoshub', ['transfer/channel-141'], ['cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d28']],
  ['bitcoin', ['OP_RETURN'], ['op_return']],
])('contracts of %s are listed by a name that payloads there can have', (chain, taken, refused) => {
  const listOf = (names: string[]) => ({ allowed_contracts: names.map((address) => ({ chain, address })) })
  expect(refusedIn(listOf(taken))).toEqual([])
  expect(refusedIn(listOf(refused))).toEqual(
    refused.map((_, index) => ['allowed_contracts', index, 'address']),
  )
})

test('recipients are listed by the name of an account on some network', () => {
  const taken = [evm, tron, mint, issuer, 'evil.near', digits, `0x${digits}`]
  expect(refusedIn({ allowed_recipients: taken })).toEqual([])
  const refused = [
    `eip155:1:${evm}`,
    `0x${'a'.repeat(65)}`,
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    'Bob',
  ]
  expect(refusedIn({ allowed_recipients: refused })).toEqual(
    refused.map((_, index) => ['allowed_recipients', index]),
  )
})

test('sign-in domains are listed as messages name them', () => {
  const taken = ['app.example', 'App.Example:8443', 'localhost:3000', '127.0.0.1', '[::1]:3000']
  expect(refusedIn({ allowed_sign_in_domains: taken })).toEqual([])
  const refused = [
    'https://app.example',
    'app.example/',
    'app.example/login',
    'me@app.example',
    '*.example',
    'a b',
  ]
  expect(refusedIn({ allowed_sign_in_domains: refused })).toEqual(
    refused.map((_, index) => ['allowed_sign_in_domains', index]),
  )
})

test('what is wrong with an entry is one sentence, with the entry in quotes and the reason behind it', () => {
  const said = (policy: Policy) => {
    const { details } = checkPolicy(policy) ?? {}
    return (details as { issues: { message: string }[] }).issues.map(({ message }) => message)
  }
  const nameless = 'which is not an address on any network, so it would'
  expect(said({ allowed_recipients: ['nope!'] })).toEqual([`is “nope!”, ${nameless} allow no one`])
  expect(said({ blocked_recipients: ['x y'.repeat(100)] })).toEqual([
    `is “${'x y'.repeat(27).slice(0, 80)}…”, ${nameless} block no one`,
  ])
  expect(said({ allowed_tokens: [{ chain: 'base', token: 'USDC' }] })).toEqual([
    'is “USDC”, which is not a valid token on base',
  ])
  const caps = ['ETH', 'ETH', 'DOGE'].map((asset) => ({ asset, max: '1' }))
  expect(said({ max_spend_per_tx: caps })).toEqual([
    'lists “ETH” twice',
    'is “DOGE”, which is not the native asset of any chain',
  ])
})
