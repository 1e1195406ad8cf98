import { randomBytes } from 'node:crypto'
import type { SignIntent } from '@symbolon/networks'
import type { SignRequest } from '@symbolon/networks/request'
import {
  assembleAnswer,
  chainOf,
  decodeIntent,
  encodeIntent,
  intentOf,
  preview,
  signingDigests,
} from '@symbolon/networks/testing/by-intent'
import {
  makePsbt,
  makeTeeWallet,
  messageIntent,
  type TeeWallet,
  transferIntent,
} from '@symbolon/testing/enclave'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleKeys, sampleRequests } from '../vault/sample-requests.ts'
import { hex, importedWallet, type ReceiptFixture, ring, sha256, startReceipts } from './receipt-fixture.ts'

let fixture: ReceiptFixture
let wallets: Record<'secp256k1' | 'ed25519', TeeWallet>

beforeAll(async () => {
  fixture = await startReceipts()
  wallets = {
    secp256k1: await importedWallet(fixture.enclave, sampleKeys.secp256k1),
    ed25519: await importedWallet(fixture.enclave, sampleKeys.ed25519),
  }
})

afterAll(() => fixture.stop())

const recipient = '0x5e5E5e5e5E5e5E5E5e5E5E5e5e5E5E5E5e5E5E5e'
const transfer = (value: bigint) => transferIntent({ chain: 'base', to: recipient, value })

/** Signs with a receipt, and without: the signatures are the same. */
async function signed(wallet: TeeWallet, intent: Uint8Array) {
  const { signatures, receipt } = await fixture.enclave.sign({ ...wallet, intent, receipt: true })
  expect(await fixture.enclave.sign({ ...wallet, intent })).toEqual({ signatures })
  return { signatures, jws: receipt?.jws ?? '', payload: await fixture.verified(receipt) }
}

const counterOf = async (wallet: TeeWallet) =>
  (await fixture.enclave.sign({ ...wallet, intent: messageIntent(wallet.curve, 'n'), receipt: true })).receipt
    ?.counter

test('a receipt of a transfer says who signed what, and what that does', async () => {
  const wallet = await makeTeeWallet(fixture.enclave, ring, 'secp256k1')
  const { organizationId, walletId, publicKey } = wallet
  const intent = transfer(1_000n)
  const { signatures, payload } = await signed(wallet, intent)
  const [digest] = signingDigests(decodeIntent(intent), 'secp256k1', publicKey)
  expect(payload).toEqual({
    version: 1,
    mode: 'simulated',
    receipt_id: expect.stringMatching(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    ),
    organization_id: organizationId,
    wallet_id: walletId,
    public_key: `0x${hex(publicKey)}`,
    curve: 'secp256k1',
    network: 'evm',
    chain: 'base',
    type: 'transaction',
    digests: [hex(digest.payload)],
    signature: assembleAnswer(decodeIntent(intent), 'secp256k1', publicKey, signatures).signature,
    signatures: [hex(signatures[0].signature)],
    effects: [{ kind: 'transfer', asset: 'ETH', amount: '1000', to: recipient }],
    effects_sha256: sha256(`[{"amount":"1000","asset":"ETH","kind":"transfer","to":"${recipient}"}]`),
    fee: { asset: 'ETH', amount: '21000000000000' },
    decision: {
      layers: { organization: null, wallet: null, agent: null, session: null },
      policy_version: null,
      authorization_sha256: null,
      approval_sha256: null,
    },
    budget: null,
    ring_id: fixture.boot.ringId,
    counter: 1,
    issued_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
  expect(Math.abs(Date.parse(payload.issued_at) - Date.now())).toBeLessThan(60_000)
})

const named = sampleRequests.map(
  (request, n) => [`${n}: ${request['type']} ${request['chain']}`, request] as const,
)

test.each(named)('a receipt says what the answer to sample %s says', async (_name, sample) => {
  const request = sample as unknown as SignRequest
  const chain = chainOf(request, 'secp256k1')
  const wallet = wallets[chain.curve]
  const intent = intentOf(request, chain, wallet.publicKey, (n) => new Uint8Array(n).fill(7))
  const { signatures, payload, jws } = await signed(wallet, encodeIntent(intent))
  const shown = preview(intent, chain.curve, wallet.publicKey)
  const digests = signingDigests(intent, chain.curve, wallet.publicKey).map((digest) => digest.payload)
  const isBare = request.type === 'hash' || request.type === 'user_operation'
  const effects = shown.actions.map(({ kind, asset, amount, to }) => ({ kind, asset, amount, to }))
  expect(payload).toMatchObject({
    public_key: `0x${hex(wallet.publicKey)}`,
    curve: chain.curve,
    network: chain.network,
    chain: chain.handle,
    type: request.type,
    digests: digests.map(chain.curve === 'ed25519' ? sha256 : hex),
    signature: assembleAnswer(intent, chain.curve, wallet.publicKey, signatures).signature,
    signatures: signatures.map(({ signature }) => hex(signature)),
    effects: isBare ? [{ kind: 'unknown', asset: null, amount: null, to: null }] : effects,
    fee: shown.fee,
    budget: null,
  })
  if (digests.length === 1 && payload.effects.length <= 1) expect(jws.length).toBeLessThanOrEqual(2_200)
})

test('samples are of all networks, and of every type', async () => {
  const chains = sampleRequests.map(
    (request) => chainOf(request as unknown as SignRequest, 'secp256k1').network,
  )
  expect(new Set(chains).size).toBe(8)
  const types = new Set(sampleRequests.map(({ type }) => type))
  expect([...types].sort()).toEqual([
    'authorization',
    'hash',
    'message',
    'transaction',
    'typed_data',
    'user_operation',
  ])
})

test('a message has no effects and no fee; an authorization makes its contract an admin', async () => {
  const message = await signed(wallets.ed25519, messageIntent('ed25519', 'hello'))
  expect(message.payload).toMatchObject({ effects: [], fee: null, effects_sha256: sha256('[]') })
  const contract = new Uint8Array(20).fill(0x22)
  const intent: SignIntent = { kind: 'authorization', chain: 'base', chainId: 8453n, contract, nonce: 7n }
  const { payload } = await signed(wallets.secp256k1, encodeIntent(intent))
  const to = `0x${'22'.repeat(20)}`
  expect(payload).toMatchObject({ effects: [{ kind: 'admin', asset: null, amount: null, to }], fee: null })
})

test('a PSBT has a digest and a signature for each input that the wallet signs, in their order', async () => {
  const { publicKey } = wallets.secp256k1
  const bytes = makePsbt((['p2tr', 'p2wpkh', 'p2tr'] as const).map((kind) => ({ publicKey, kind })))
  const intent: SignIntent = { kind: 'transaction', network: 'bitcoin', chain: 'bitcoin', bytes }
  const { payload, signatures } = await signed(wallets.secp256k1, encodeIntent(intent))
  expect(payload.digests).toEqual(
    signingDigests(intent, 'secp256k1', publicKey).map((digest) => hex(digest.payload)),
  )
  expect(payload.signatures).toEqual(signatures.map(({ signature }) => hex(signature)))
  expect(payload.digests).toHaveLength(3)
  expect(payload.fee).toEqual({ asset: 'BTC', amount: '2000' })
})

test('numbers are dense for each organization, over requests at once, and what fails takes none', async () => {
  const [one, other] = [
    await makeTeeWallet(fixture.enclave, ring, 'ed25519'),
    await makeTeeWallet(fixture.enclave, ring, 'secp256k1'),
  ]
  const ask = (wallet: TeeWallet, n: number) =>
    fixture.enclave.sign({ ...wallet, intent: messageIntent(wallet.curve, `m${n}`), receipt: true })
  const fails = (wallet: TeeWallet, change: object) =>
    fixture.enclave
      .sign({ ...wallet, intent: messageIntent(wallet.curve, 'm'), receipt: true, ...change })
      .then(() => expect.fail('signed'))
      .catch(({ code }: { code: string }) => code)
  const [receipts, failures] = await Promise.all([
    Promise.all(Array.from({ length: 120 }, (_, n) => ask(n % 3 === 0 ? other : one, n))),
    Promise.all([
      fails(one, { intent: randomBytes(9) }),
      fails(one, { dataKeyB: randomBytes(32) }),
      fails(one, { publicKey: other.publicKey }),
    ]),
  ])
  expect(failures).toEqual(['invalid_payload', 'refused', expect.any(String)])
  const countersOf = (isOther: boolean) =>
    receipts.filter((_, n) => (n % 3 === 0) === isOther).map(({ receipt }) => receipt?.counter)
  const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
  expect(countersOf(true).sort((a = 0, b = 0) => a - b)).toEqual(upTo(40))
  expect(countersOf(false).sort((a = 0, b = 0) => a - b)).toEqual(upTo(80))
  expect(new Set(receipts.map(({ receipt }) => receipt?.receiptId)).size).toBe(120)
  // Without a receipt nothing is counted.
  await fixture.enclave.sign({ ...one, intent: messageIntent('ed25519', 'm') })
  expect(await counterOf(one)).toBe(81)
})

test('wallets of one organization share its numbers', async () => {
  const wallet = await makeTeeWallet(fixture.enclave, ring, 'ed25519')
  const again = { ...wallet, walletId: (await makeTeeWallet(fixture.enclave, ring, 'ed25519')).walletId }
  expect(await counterOf(wallet)).toBe(1)
  await expect(counterOf(again)).rejects.toMatchObject({ code: 'refused' })
  expect(await counterOf(wallet)).toBe(2)
})

test('the same bytes signed again have another receipt', async () => {
  const [first, second] = [
    await signed(wallets.ed25519, messageIntent('ed25519', 'again')),
    await signed(wallets.ed25519, messageIntent('ed25519', 'again')),
  ]
  expect(second.payload.counter).toBe(first.payload.counter + 1)
  expect(second.payload.receipt_id).not.toBe(first.payload.receipt_id)
  expect(second.payload.signatures).toEqual(first.payload.signatures)
})
