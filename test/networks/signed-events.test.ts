import { createHash } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { p2wpkh, Script, Transaction } from '@scure/btc-signer'
import type { SignResponse, WalletWithIdentity } from '@symbolon/api'
import { networkDemos } from '@symbolon/dev/testing/network-demos'
import { networks } from '@symbolon/networks'
import { mintSession, setRules, signAs } from '@symbolon/testing/agents'
import {
  liftRates,
  login,
  makeTenant,
  makeWallet,
  makeWalletFor,
  newMember,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let tenant: Tenant
let wallets: Record<'secp256k1' | 'ed25519', WalletWithIdentity>

beforeAll(async () => {
  app = await startTestApp()
  await liftRates(app)
  tenant = await makeTenant(app)
  wallets = {
    secp256k1: await makeWalletFor(app, tenant),
    ed25519: await makeWalletFor(app, tenant, 'ed25519'),
  }
  const member = await newMember(app, tenant.id, 'owner')
  await setRules(app, { member, organizationId: tenant.id }, { token_mode: 'any', allow_raw_hash: true })
})
afterAll(() => app?.stop())

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const bytesOf = (hex: unknown) => Buffer.from(String(hex).slice(2), 'hex')

/** The payload of the newest `wallet.signed` event of an actor. */
async function lastSigned(actorType: string) {
  const rows = await app.sql<{ payload: Record<string, unknown> }[]>`
    select payload from audit_events where organization_id = ${tenant.id} and actor_type = ${actorType} and success
      and payload ? 'digest' order by n desc limit 1`
  return rows[0]?.payload
}

/** Says by the curve's own oracle whether the digest is what the wallet signed; Bitcoin's and ed25519's are checked by their form. */
function isSigned({ curve, chain, signature, public_key: key }: SignResponse, digest: string): boolean {
  if (curve === 'ed25519' || chain === 'bitcoin') return /^[0-9a-f]{64}$/.test(digest)
  const compact = bytesOf(signature).subarray(0, 64)
  return secp256k1.verify(compact, Buffer.from(digest, 'hex'), bytesOf(key), { prehash: false })
}

test.each(networkDemos.map((demo) => [demo.chain, demo] as const))(
  'the event of a transaction on %s names digest, hash, target, value, asset and fee in every lane',
  async (chain, { curve, make }) => {
    const wallet = wallets[curve]
    const body = { type: 'transaction', chain, transaction: make(wallet).transaction }
    const asBackend = () =>
      app.call<SignResponse>('POST', '/v1/s2s/sign', {
        sk: tenant.sk,
        json: { ...body, wallet_id: wallet.id },
      })
    const { token } = await mintSession(app, tenant, wallet.id, {
      allowed_chains: [chain],
      max_spend_per_tx_native: '1000000000000000000000000000',
      max_spend_total_native: '1000000000000000000000000000',
      max_fee_per_tx_native: '1000000000000000000000000000',
      allowed_tokens: [
        { chain: 'base', token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', max_total: '9000000' },
      ],
    })
    const asAgent = () => signAs(app, token, body)
    for (const [actor, sign] of [
      ['api_key', asBackend],
      ['agent', asAgent],
    ] as const) {
      const { status, data, text } = await sign()
      expect(status, text).toBe(200)
      const [action] = data.decoded_preview.actions
      const payload = await lastSigned(actor)
      expect(payload).toEqual({
        type: 'transaction',
        chain,
        network: networks.chain(chain)?.network,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        digests_total: chain === 'bitcoin' ? 2 : 1,
        transaction_hash: data.transaction_hash,
        target: action?.to,
        value: action?.amount,
        asset: action?.asset,
        fee: data.decoded_preview.fee,
      })
      expect(payload?.['fee']).not.toBeNull()
      expect(isSigned(data, String(payload?.['digest']))).toBe(true)
    }
  },
)

const [friend, stranger] = [`0x${'33'.repeat(20)}`, `0x${'44'.repeat(20)}`] as const
const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
const transferOf = (to: `0x${string}`, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
const call = (to: string, value: string, data: string) => ({
  type: 'transaction',
  chain: 'base',
  transaction: {
    ...{ to, value, data, nonce: '0x0', gas_limit: '0x52080' },
    ...{ max_fee_per_gas: '0x1', max_priority_fee_per_gas: '0x1' },
  },
})
const decoys: [string, () => object, object][] = [
  [
    'data before the coins that leave',
    () => ({ type: 'transaction', chain: 'bitcoin', transaction: withData() }),
    { target: expect.stringMatching(/^bc1/), asset: 'BTC', value: '90000' },
  ],
  [
    'a small transfer before a large one, in one call',
    () => {
      const calls = [transferOf(friend, 1n), transferOf(stranger, 10n ** 24n)]
      const data = encodeFunctionData({ abi: parseAbi(['function multicall(bytes[])']), args: [calls] })
      return call(stranger, '0x0', data)
    },
    { target: stranger, asset: stranger, value: String(10n ** 24n + 1n) },
  ],
  [
    'value that a call hands on',
    () => {
      const abi = parseAbi(['function aggregate3Value((address,bool,uint256,bytes)[])'])
      const calls = [friend, stranger].map((to) => [to, false, 5n, '0x'] as const)
      return call(multicall3, '0xa', encodeFunctionData({ abi, args: [calls] }))
    },
    { target: multicall3, asset: 'ETH', value: '10' },
  ],
]
test.each(decoys)('the event tells what is moved: %s', async (_, body, told) => {
  const json = { ...body(), wallet_id: wallets.secp256k1.id }
  const { status, text } = await app.call('POST', '/v1/s2s/sign', { sk: tenant.sk, json })
  expect(status, text).toBe(200)
  expect(await lastSigned('api_key')).toMatchObject(told)
})

/** A coin of 100,000 sat, of which 90,000 go to another key, behind an output with data. */
function withData(): string {
  const key = bytesOf(wallets.secp256k1.public_key)
  const transaction = new Transaction({ allowUnknownOutputs: true })
  const { script } = p2wpkh(key)
  transaction.addInput({
    txid: new Uint8Array(32).fill(1),
    index: 0,
    witnessUtxo: { script, amount: 100_000n },
  })
  transaction.addOutput({ script: Script.encode(['RETURN', Uint8Array.of(1)]), amount: 0n })
  const other = secp256k1.getPublicKey(new Uint8Array(32).fill(7))
  transaction.addOutput({ script: p2wpkh(other).script, amount: 90_000n })
  return Buffer.from(transaction.toPSBT(0)).toString('base64')
}

const kinds: [string, object, Record<string, unknown>][] = [
  [
    'a message',
    { type: 'message', message: 'hello', chain: 'base' },
    { target: null, value: null, asset: null },
  ],
  ['a hash', { type: 'hash', hash: `0x${'07'.repeat(32)}` }, { digest: '07'.repeat(32), chain: 'ethereum' }],
  [
    'an authorization',
    { type: 'authorization', chain: 'base', contract: `0x${'22'.repeat(20)}`, nonce: '0x0' },
    { target: `0x${'22'.repeat(20)}` },
  ],
  [
    'a message of an ed25519 wallet',
    { type: 'message', message: '0x0102', encoding: 'hex', scheme: 'raw', chain: 'solana' },
    { digest: sha256(Uint8Array.of(1, 2)).toString('hex') },
  ],
]
test.each(kinds)(
  'the event of %s that a user signs names its digest and no transaction',
  async (_, body, more) => {
    const user = await login(app, tenant)
    const curve = 'chain' in body && body.chain === 'solana' ? 'ed25519' : 'secp256k1'
    await makeWallet(app, user, curve)
    const { status, data, text } = await app.call<SignResponse>('POST', '/v1/wallets/me/sign', {
      ...user,
      json: body,
    })
    expect(status, text).toBe(200)
    const payload = await lastSigned('end_user')
    expect(payload).toMatchObject({ digests_total: 1, transaction_hash: null, fee: null, ...more })
    expect(isSigned(data, String(payload?.['digest']))).toBe(true)
  },
)
