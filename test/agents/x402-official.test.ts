import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type Eip3009Token, eip3009Token } from '@symbolon/dev/testing/chain'
import { type Merchant, startMerchant } from '@symbolon/dev/testing/x402'
import { createAgentClient, unwrap } from '@symbolon/sdk/agent'
import { createServerClient } from '@symbolon/sdk/server'
import { type A2aFixture, a2aFixture, mySession } from '@symbolon/testing/agents'
import { sharedChain } from '@symbolon/testing/chain'
import { authorizationTypes, ExactEvmScheme } from '@x402/evm'
import { ExactEvmSchemeV1 } from '@x402/evm/v1'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import {
  type Address,
  createWalletClient,
  getAddress,
  type Hex,
  http,
  recoverMessageAddress,
  recoverTypedDataAddress,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'

const price = 250n
let fixture: A2aFixture
let token: Eip3009Token
let wallet: Address
let merchant: Merchant

beforeAll(async () => {
  token = await eip3009Token(await sharedChain())
  fixture = await a2aFixture()
  const { sk } = fixture.tenant
  const { data } = await fixture.app.call<{ address: Address }>(
    'GET',
    `/v1/s2s/wallets/${fixture.walletId}`,
    { sk },
  )
  wallet = data.address
  await token.mint(wallet, 1_000_000n)
  merchant = await startMerchant(token, price)
})
afterAll(async () => {
  await fixture.app.stop()
  await merchant.close()
})

const newSession = (caps: object) =>
  fixture.newSession(fixture.agent.id, {
    allowed_tokens: [{ chain: 'local', token: token.address, ...caps }],
  })

const agentOf = ({ token: agentToken }: { token: string }) =>
  createAgentClient({ token: agentToken, baseUrl: fixture.app.url })
const backend = () => createServerClient({ secretKey: fixture.tenant.sk, baseUrl: fixture.app.url })

/** What the seller earned meanwhile. */
async function earned<value>(work: () => Promise<value>): Promise<[bigint, value]> {
  const before = await token.balanceOf(token.seller.address)
  const value = await work()
  return [(await token.balanceOf(token.seller.address)) - before, value]
}

type Signer = ConstructorParameters<typeof ExactEvmScheme>[0]

/** The official buyer, allowed to pay with this token. */
const buyer = (signer: Signer) =>
  wrapFetchWithPayment(
    fetch,
    new x402Client()
      .register('eip155:31337', new ExactEvmScheme(signer))
      .setSpendControls({ allowedAssets: [{ network: 'eip155:31337', asset: token.address }] }),
  )

const order = (body: object, more: object = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-order': 'seven' },
  body: JSON.stringify(body),
  ...more,
})

test('the official merchant fills an order that our agent pays for, with its method, headers and body', async () => {
  const session = await newSession({ max_total: '1000' })
  const args = { url: merchant.url, ...order({ item: 'report' }) }
  const requestInit = { headers: { authorization: `Bearer ${session.token}` } }
  const model = new Client({ name: 'buyer', version: '1' })
  await model.connect(new StreamableHTTPClientTransport(new URL(`${fixture.at}/mcp`), { requestInit }))
  const [paid, result] = await earned(() => model.callTool({ name: 'pay', arguments: args }))
  await model.close()
  expect(result.structuredContent).toMatchObject({
    status: 200,
    body: '{"filled":{"item":"report"}}',
    payment: { chain: 'local', amount: '250', from: wallet },
    settlement: { success: true, payer: wallet, network: 'eip155:31337' },
  })
  expect(merchant.filled).toEqual([{ body: '{"item":"report"}', order: 'seven' }])
  expect(paid).toBe(price)
  expect((await mySession(fixture.app, session.token)).spent).toContainEqual(
    expect.objectContaining({ spent: '250', reserved: '0', remaining: '750' }),
  )
})

test.each(['an agent within its policy', 'a backend'])(
  'the official buyer pays the official merchant with a wallet of ours, signed by %s',
  async (who) => {
    const { walletId } = fixture
    const account =
      who === 'a backend'
        ? unwrap(await backend().account({ walletId, chain: 'local' }))
        : unwrap(await agentOf(await newSession({ max_total: '300' })).account({ chain: 'local' }))
    expect(account.address).toBe(wallet)
    const [paid, response] = await earned(() => buyer(account)(merchant.url, order({ item: who })))
    expect([response.status, await response.json()]).toEqual([200, { filled: { item: who } }])
    const settlement = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
    expect(settlement).toMatchObject({ success: true, payer: wallet })
    expect(merchant.filled.at(-1)).toEqual({ body: JSON.stringify({ item: who }), order: 'seven' })
    expect(paid).toBe(price)
  },
)

test('the official buyer pays by version 1 with a wallet of ours: the signature is good for the token of the chain it names', async () => {
  const [asset, payTo] = [token.address, token.seller.address]
  const network = 'base-sepolia'
  const extra = { name: 'USDC', version: '2' }
  const offer = {
    scheme: 'exact',
    network,
    maxAmountRequired: '250',
    asset,
    payTo,
    maxTimeoutSeconds: 60,
    extra,
  }
  const resource = { resource: 'http://127.0.0.1/page', description: 'A page', mimeType: 'text/plain' }
  const shop: typeof fetch = async (input, init) => {
    const shown = new Request(input, init).headers.get('x-payment')
    if (shown !== null) return new Response(Buffer.from(shown, 'base64'))
    return Response.json(
      { x402Version: 1, error: 'pay', accepts: [{ ...offer, ...resource }] },
      { status: 402 },
    )
  }
  const account = unwrap(await backend().account({ walletId: fixture.walletId, chain: network }))
  const client = new x402Client()
    .registerV1(network, new ExactEvmSchemeV1(account))
    .setSpendControls({ allowedAssets: true })
  const answer = await wrapFetchWithPayment(shop, client)('http://127.0.0.1/page', {
    method: 'POST',
    body: 'order',
  })
  const { payload, ...rest } = await answer.json()
  expect(rest).toMatchObject({ x402Version: 1, scheme: 'exact', network })
  const { value, validAfter, validBefore, ...message } = payload.authorization
  expect({ ...message, value }).toMatchObject({ from: wallet, to: getAddress(payTo), value: '250' })
  const signer = await recoverTypedDataAddress({
    domain: { ...extra, chainId: 84_532, verifyingContract: asset },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...message,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
    },
    signature: payload.signature,
  })
  expect(signer).toBe(wallet)
})

test('the official buyer of an agent whose budget does not suffice fails with the reason, and nothing is paid', async () => {
  const account = unwrap(await agentOf(await newSession({ max_total: '249' })).account({ chain: 'local' }))
  const [paid] = await earned(() =>
    expect(buyer(account)(merchant.url, order({ item: 'late' }))).rejects.toThrow(/policy|exceed/),
  )
  expect(paid).toBe(0n)
})

test("viem signs and sends with a backend's account as with one of its own, in each form of a transaction", async () => {
  const chain = await sharedChain()
  await chain.fund(wallet, 10n ** 18n)
  const account = unwrap(await backend().account({ walletId: fixture.walletId, chain: 'local' }))
  const client = createWalletClient({ account, chain: foundry, transport: http(chain.rpcUrl) })
  for (const message of ['hello', { raw: '0x00ff' }, { raw: Uint8Array.of(1, 2) }] as const)
    expect(await recoverMessageAddress({ message, signature: await client.signMessage({ message }) })).toBe(
      wallet,
    )
  const to = privateKeyToAccount(generatePrivateKey()).address
  const accessList = [{ address: to, storageKeys: [`0x${'0'.repeat(64)}`] }] as const
  for (const form of [{}, { type: 'legacy' }, { type: 'eip2930', accessList }, { accessList }] as const) {
    const hash = await client.sendTransaction({ to, value: 5n, ...form })
    expect((await token.reads.waitForTransactionReceipt({ hash })).status).toBe('success')
  }
  expect(await token.reads.getBalance({ address: to })).toBe(20n)
  expect((await backend().account({ walletId: fixture.walletId, chain: 'bitcoin' })).error?.code).toBe(
    'chain_unsupported',
  )
})

test.each(['server.ts', 'buyer.ts'])('the sample %s of the guide runs as it is printed', async (name) => {
  const root = path.join(import.meta.dirname, '../..')
  const text = await readFile(path.join(root, 'docs/guides/clients.md'), 'utf8')
  const [sample] = text.match(new RegExp(`(?<=\`\`\`ts\\n)// ${name}\\n[^]*?(?=\\n\`\`\`)`)) ?? []
  const env = {
    ...process.env,
    URL: fixture.app.url,
    RPC: (await sharedChain()).rpcUrl,
    SK: fixture.tenant.sk,
    WALLET: fixture.walletId,
    TOKEN: (await newSession({ max_total: '300' })).token,
    SHOP: merchant.url,
    ASSET: token.address,
  }
  const run = promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-'], {
    cwd: root,
    env,
  })
  run.child.stdin?.end(sample ?? 'throw new Error("The guide has no such sample.")')
  const [paid, { stdout }] = await earned(() => run)
  if (name === 'buyer.ts') expect([paid, stdout]).toEqual([price, '200 {"filled":{"item":"report"}}\n'])
  else {
    const [signer, signature] = stdout.trim().split(' ')
    expect(signer).toBe(wallet)
    expect(await recoverMessageAddress({ message: 'Hello', signature: signature as Hex })).toBe(wallet)
  }
})
