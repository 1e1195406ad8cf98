import type { SignIntent } from '@symbolon/networks'
import {
  encodeCalls,
  lightAccountAddress,
  userOperationHash,
  userOperationJson,
} from '@symbolon/networks/evm'
import { encodeIntent, walletAddresses } from '@symbolon/networks/testing/by-intent'
import type { SpentBefore } from '@symbolon/server/testing/ports'
import {
  makeGrant,
  makeTeeWallet,
  type TeeWallet,
  type TestGrant,
  transferIntent,
} from '@symbolon/testing/enclave'
import { encodeFunctionData, erc20Abi, type Hex, hexToBytes } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ReceiptFixture, ring, startReceipts } from './receipt-fixture.ts'

const recipient = '0x5e5E5e5e5E5e5E5E5e5E5E5e5e5E5E5E5e5E5E5e'
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
let fixture: ReceiptFixture
let wallet: TeeWallet

beforeAll(async () => {
  fixture = await startReceipts()
  wallet = await makeTeeWallet(fixture.enclave, ring, 'secp256k1')
})
afterAll(() => fixture.stop())

const allowed = { allowed_tokens: [{ chain: 'base', token: usdc }] }
const tokenTransfer = (amount: bigint) =>
  transferIntent({
    chain: 'base',
    to: usdc,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, amount] }),
  })

type Asked = { intent: Uint8Array; operation?: string; spentBefore?: readonly SpentBefore[] }

const agentSign = (grant: TestGrant, { spentBefore = [], ...asked }: Asked) => {
  const { shareA, shareB } = wallet
  return fixture.enclave.agentSign({ ...grant, ...asked, shareA, shareB, receipt: { spentBefore } })
}

test('a receipt of an agent’s transfer has the version of its policy, and what each asset was and is', async () => {
  const grant = await makeGrant(fixture.enclave, wallet, { session: allowed })
  const intent = tokenTransfer(250n)
  const { spends } = await fixture.enclave.evaluate({ ...grant, intent })
  const token = spends.find(({ counter }) => counter.startsWith('token '))
  const spentBefore = [
    { counter: 'native ETH/18', amount: 10n ** 21n },
    { counter: token?.counter ?? '', amount: 1_000n },
    { counter: 'transactions', amount: 4n },
  ]
  const answer = await agentSign(grant, { intent, spentBefore })
  const payload = await fixture.verified(answer.receipt)
  expect(payload).toMatchObject({
    organization_id: wallet.organizationId,
    wallet_id: wallet.walletId,
    type: 'transaction',
    effects: [{ kind: 'transfer', asset: usdc, amount: '250', to: recipient }],
    fee: { asset: 'ETH', amount: '100000000000000' },
    decision: {
      layers: { organization: null, wallet: null, agent: null, session: 1 },
      policy_version: 1,
      authorization_sha256: null,
      approval_sha256: null,
    },
    budget: [
      { asset: 'ETH', spent_before: String(10n ** 21n), spent_after: String(10n ** 21n + 10n ** 14n) },
      { asset: token?.asset, spent_before: '1000', spent_after: '1250' },
    ],
  })
  expect(answer.receipt?.jws.length).toBeLessThanOrEqual(2_200)
  const { receipt, ...signed } = answer
  const { shareA, shareB } = wallet
  expect(await fixture.enclave.agentSign({ ...grant, intent, shareA, shareB })).toEqual(signed)
})

test('a receipt is the same whether the request was evaluated before or not', async () => {
  const grant = await makeGrant(fixture.enclave, wallet, { session: allowed })
  const intent = tokenTransfer(1n)
  await fixture.enclave.evaluate({ ...grant, intent })
  const [kept, fresh] = [
    await fixture.verified((await agentSign(grant, { intent })).receipt),
    await fixture.verified((await agentSign(grant, { intent })).receipt),
  ]
  const { receipt_id: _, issued_at: __, counter, ...rest } = kept
  expect(fresh).toMatchObject({ ...rest, counter: counter + 1 })
  expect(rest.budget).toContainEqual({ asset: 'ETH', spent_before: '0', spent_after: '100000000000000' })
})

test('an agent’s message spends nothing; what is refused has no receipt and takes no number; neither does an evaluation', async () => {
  const other = await makeTeeWallet(fixture.enclave, ring, 'secp256k1')
  const grant = await makeGrant(fixture.enclave, other, { session: { allowed_methods: ['signMessage'] } })
  const message: SignIntent = { kind: 'message', network: 'evm', chain: 'base', message: Buffer.from('hi') }
  const intent = encodeIntent(message)
  const { shareA, shareB } = other
  const sign = (asked: object) =>
    fixture.enclave.agentSign({ ...grant, intent, shareA, shareB, receipt: { spentBefore: [] }, ...asked })
  const refused = await sign({ intent: tokenTransfer(1n) })
  expect(refused).toEqual({ refusal: expect.objectContaining({ reason: 'method_not_allowed' }) })
  await fixture.enclave.evaluate({ ...grant, intent })
  await fixture.enclave.evaluate({ ...grant, intent, explain: true })
  const payload = await fixture.verified((await sign({})).receipt)
  expect(payload).toMatchObject({ type: 'message', effects: [], fee: null, budget: [], counter: 1 })
})

test('sums that are malformed or named twice are refused, and nothing is signed', async () => {
  const grant = await makeGrant(fixture.enclave, wallet, { session: allowed })
  for (const spentBefore of [
    [{ counter: 'a', amount: -1n }],
    [{ counter: 'a', amount: 10n ** 78n }],
    [
      { counter: 'a', amount: 1n },
      { counter: 'a', amount: 1n },
    ],
  ]) {
    await expect(agentSign(grant, { intent: tokenTransfer(1n), spentBefore })).rejects.toMatchObject({
      code: 'invalid_payload',
    })
  }
})

test('an operation whose hash is signed has the effects of its calls and its account’s fee', async () => {
  const grant = await makeGrant(fixture.enclave, wallet, { session: {} })
  const owner = walletAddresses('secp256k1', wallet.publicKey)['evm'] as Hex
  const operation = {
    sender: lightAccountAddress(owner),
    nonce: 1n,
    callData: encodeCalls([
      { to: recipient, value: 7n, data: '0x' },
      { to: recipient, value: 5n, data: '0x' },
    ]),
    callGasLimit: 100n,
    verificationGasLimit: 200n,
    preVerificationGas: 300n,
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: 1n,
  }
  const hash = hexToBytes(userOperationHash(operation, 8453))
  const stored = JSON.stringify({ chain: 'base', operation: userOperationJson(operation) })
  const intents: SignIntent[] = [
    { kind: 'user_operation', chain: 'base', hash },
    { kind: 'message', network: 'evm', chain: 'base', message: hash },
  ]
  for (const intent of intents) {
    const answer = await agentSign(grant, { intent: encodeIntent(intent), operation: stored })
    const payload = await fixture.verified(answer.receipt)
    expect(payload).toMatchObject({
      type: intent.kind,
      fee: { asset: 'ETH', amount: '6000' },
      budget: [{ asset: 'ETH', spent_before: '0', spent_after: '6012' }],
    })
    expect(payload.effects.map(({ kind, amount, to }) => [kind, amount, to])).toEqual([
      ['transfer', '7', recipient],
      ['transfer', '5', recipient],
    ])
  }
  // For its owner, who gives the hash alone, it is one.
  const [intent] = intents
  const { receipt } = await fixture.enclave.sign({
    ...wallet,
    intent: encodeIntent(intent ?? expect.fail('no intent')),
    receipt: true,
  })
  const unknown = { kind: 'unknown', asset: null, amount: null, to: null }
  expect(await fixture.verified(receipt)).toMatchObject({ effects: [unknown], fee: null, budget: null })
})
