import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { p2tr, p2wpkh, SigHash, Transaction } from '@scure/btc-signer'
import type { SignResponse, Wallet } from '@symbolon/api'
import {
  forgetRates,
  login,
  makeTenant,
  makeWallet,
  startTestApp,
  type Tenant,
  type TestApp,
  type User,
} from '@symbolon/testing/app'
import { makePsbt, type PsbtInput } from '@symbolon/testing/enclave'
import { Transaction as BitcoinjsTransaction, script as scripts } from 'bitcoinjs-lib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

let app: TestApp
let tenant: Tenant
let user: User
let wallet: Wallet
let publicKey: Uint8Array
const otherKey = new Uint8Array(32).fill(9)
const other = secp256k1.getPublicKey(otherKey, true)

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
  user = await login(app, tenant)
  wallet = await makeWallet(app, user)
  publicKey = Uint8Array.from(Buffer.from(wallet.public_key.slice(2), 'hex'))
})
afterAll(() => app.stop())
beforeEach(() => forgetRates(app))

const requestOf = (psbt: Uint8Array, chain = 'bitcoin') => ({
  type: 'transaction',
  chain,
  transaction: Buffer.from(psbt).toString('base64'),
})

async function sign(psbt: Uint8Array, chain?: string): Promise<SignResponse> {
  const json = requestOf(psbt, chain)
  const mine = await app.call<SignResponse>('POST', '/v1/wallets/me/sign', { ...user, json })
  const answer = await app.call<SignResponse>('POST', '/v1/s2s/sign', {
    sk: tenant.sk,
    json: { ...json, wallet_id: wallet.id },
  })
  expect(mine).toMatchObject({ status: 200, error: null })
  expect(mine.data).toEqual(answer.data)
  return mine.data
}

async function refused(transaction: string): Promise<string | undefined> {
  const json = { type: 'transaction', chain: 'bitcoin', transaction, wallet_id: wallet.id }
  const { status, error } = await app.call('POST', '/v1/s2s/sign', { sk: tenant.sk, json })
  expect(status).toBe(400)
  return error?.code
}

/** Whether every input's witness signs the transaction, by the digests of bitcoinjs and the signatures of noble. */
function isSigned(raw: Uint8Array, inputs: readonly PsbtInput[]): boolean {
  const transaction = BitcoinjsTransaction.fromBuffer(raw)
  const outputs = inputs.map((input) =>
    input.kind === 'p2tr' ? p2tr(input.publicKey.slice(1)) : p2wpkh(input.publicKey),
  )
  const previous = outputs.map(({ script }) => script)
  const amounts = inputs.map(() => 100_000n)
  return transaction.ins.every(({ witness: [signature = new Uint8Array()] }, index) => {
    const input = inputs[index]
    const output = outputs[index]
    if (input === undefined || output === undefined) return false
    if (input.kind === 'p2tr') {
      const digest = transaction.hashForWitnessV1(index, previous, amounts, SigHash.DEFAULT)
      return schnorr.verify(signature, digest, output.script.slice(2))
    }
    const code = Uint8Array.of(0x76, 0xa9, 0x14, ...output.script.slice(2), 0x88, 0xac)
    const digest = transaction.hashForWitnessV0(index, code, 100_000n, SigHash.ALL)
    const compact = scripts.signature.decode(signature).signature
    return secp256k1.verify(compact, digest, input.publicKey, { prehash: false, lowS: true })
  })
}

test.each([0, 2] as const)(
  'a PSBT of version %i with both kinds of inputs is signed and finalized',
  async (version) => {
    const inputs = (['p2wpkh', 'p2tr', 'p2wpkh'] as const).map((kind) => ({ publicKey, kind }))
    const answer = await sign(makePsbt(inputs, version))
    const raw = Buffer.from(String(answer.signed_transaction).slice(2), 'hex')
    expect(isSigned(raw, inputs)).toBe(true)
    expect(answer.transaction_hash).toBe(BitcoinjsTransaction.fromBuffer(raw).getId())
    expect(answer).toMatchObject({
      address: wallet.addresses['bitcoin'],
      encoding: 'base64',
      decoded_preview: {
        title: 'Send 0.00298 BTC',
        chain: 'bitcoin',
        from: wallet.addresses['bitcoin'],
        actions: [{ kind: 'transfer', amount: '298000', asset: 'BTC', amount_display: '0.00298 BTC' }],
        fee: { asset: 'BTC', amount: '2000' },
        warnings: [],
      },
    })
  },
)

test('a PSBT with inputs of others comes back partly signed, without a hash, for them to complete', async () => {
  const inputs: PsbtInput[] = [
    { publicKey: other, kind: 'p2tr' },
    { publicKey, kind: 'p2tr' },
    { publicKey, kind: 'p2wpkh' },
    { publicKey: other, kind: 'p2wpkh' },
  ]
  const answer = await sign(makePsbt(inputs), 'bitcoin-testnet')
  expect(answer.transaction_hash).toBeUndefined()
  expect(answer.address).toBe(wallet.addresses['bitcoin_testnet'])
  const transaction = Transaction.fromPSBT(Buffer.from(String(answer.signed_transaction), 'base64'))
  transaction.sign(otherKey, [SigHash.ALL, SigHash.DEFAULT])
  transaction.finalize()
  expect(isSigned(transaction.extract(), inputs)).toBe(true)
})

test('a PSBT of another wallet, or bytes that are not a PSBT, are an invalid payload, and text that is not base64 an invalid request', async () => {
  const foreign = requestOf(makePsbt([{ publicKey: other, kind: 'p2wpkh' }])).transaction
  expect(await refused(foreign)).toBe('invalid_payload')
  expect(await refused(Buffer.from('psbt').toString('base64'))).toBe('invalid_payload')
  const { transaction } = requestOf(makePsbt([{ publicKey, kind: 'p2wpkh' }]))
  expect(await refused(`${transaction}A`)).toBe('invalid_request')
  expect(await refused(`0x${Buffer.from(transaction, 'base64').toString('hex')}`)).toBe('invalid_request')
})

test('a dry run shows what would be signed and signs nothing', async () => {
  const json = { ...requestOf(makePsbt([{ publicKey, kind: 'p2tr' }])), dry_run: true }
  const { status, data } = await app.call<SignResponse>('POST', '/v1/wallets/me/sign', { ...user, json })
  expect(status).toBe(200)
  expect(data.decoded_preview?.fee).toEqual({ asset: 'BTC', amount: '2000' })
  expect([data.signature, data.signed_transaction]).toEqual([undefined, undefined])
})
