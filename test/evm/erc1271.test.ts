import type { SignResponse, Wallet } from '@symbolon/api'
import { encodeCreateAccount, lightAccountAddress, lightAccountFactory } from '@symbolon/networks/evm'
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
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import {
  concat,
  createPublicClient,
  createWalletClient,
  defineChain,
  hashMessage,
  hashTypedData,
  http,
  parseAbi,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

type Hex = `0x${string}`

const abi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
const valid = '0x1626ba7e'
const invalid = '0xffffffff'
const typed_data = {
  domain: { name: 'Mail', chainId: 31_337 },
  types: { Mail: [{ name: 'text', type: 'string' }] },
  primaryType: 'Mail',
  message: { text: 'hello' },
} as const

let app: TestApp
let tenant: Tenant
let user: User
let wallet: Wallet
let other: Wallet
let chain: SharedChain
let sender: ReturnType<typeof clientOf>

beforeAll(async () => {
  ;[app, chain] = await Promise.all([startTestApp(), sharedChain()])
  tenant = await makeTenant(app)
  user = await login(app, tenant)
  wallet = await makeWallet(app, user)
  other = await makeWallet(app, await login(app, tenant))
  sender = clientOf(chain.rpcUrl)
  await chain.fund(sender.account.address, 10n ** 18n)
  await mined(sender.sendTransaction({ to: lightAccountFactory, data: encodeCreateAccount(ownerOf(wallet)) }))
})
afterAll(() => app.stop())
beforeEach(() => forgetRates(app))

const local = defineChain({
  id: 31_337,
  name: 'local',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
})

/** Somebody with a funded account of their own, apart from every wallet of the service. */
function clientOf(url: string) {
  return createWalletClient({
    account: privateKeyToAccount(generatePrivateKey()),
    chain: local,
    transport: http(url),
  })
}

const reader = () => createPublicClient({ chain: local, transport: http(chain.rpcUrl), pollingInterval: 50 })

async function mined(sent: Promise<Hex>): Promise<void> {
  const { status } = await reader().waitForTransactionReceipt({ hash: await sent })
  expect(status).toBe('success')
}

const ownerOf = ({ addresses }: Wallet) => (addresses['evm'] ?? '0x') as Hex

async function sign(json: Record<string, unknown>): Promise<SignResponse> {
  const answer = await app.call<SignResponse>('POST', '/v1/wallets/me/sign', { ...user, json })
  expect(answer).toMatchObject({ status: 200, error: null })
  return answer.data
}

/** What the account's contract says of a signature. */
const verdict = (hash: Hex, signature: string | undefined, account = lightAccountAddress(ownerOf(wallet))) =>
  reader().readContract({
    address: account,
    abi,
    functionName: 'isValidSignature',
    args: [hash, (signature ?? '0x') as Hex],
  })

describe('signatures of a smart account (ERC-1271)', () => {
  test('the account on chain accepts the message that was signed for it, and no other', async () => {
    const answer = await sign({ type: 'message', message: 'hello', chain: 'local', smart_account: true })
    expect(answer).toMatchObject({
      address: lightAccountAddress(ownerOf(wallet)),
      decoded_preview: { from: lightAccountAddress(ownerOf(wallet)) },
    })
    expect(await verdict(hashMessage('hello'), answer.signature)).toBe(valid)
    expect(await verdict(hashMessage('hello!'), answer.signature)).toBe(invalid)
  })

  test('it accepts typed data likewise', async () => {
    const answer = await sign({ type: 'typed_data', typed_data, chain: 'local', smart_account: true })
    expect(await verdict(hashTypedData(typed_data), answer.signature)).toBe(valid)
    const changed = { ...typed_data, message: { text: 'bye' } }
    expect(await verdict(hashTypedData(changed), answer.signature)).toBe(invalid)
  })

  test('a signature for another chain, by another wallet or for the wallet itself is not the account’s', async () => {
    const hash = hashMessage('hello')
    const elsewhere = await sign({ type: 'message', message: 'hello', chain: 'base', smart_account: true })
    expect(elsewhere.address).toBe(lightAccountAddress(ownerOf(wallet)))
    expect(await verdict(hash, elsewhere.signature)).toBe(invalid)
    const json = { type: 'message', message: 'hello', chain: 'local', smart_account: true }
    const foreign = await app.call<SignResponse>('POST', '/v1/s2s/sign', {
      sk: tenant.sk,
      json: { ...json, wallet_id: other.id },
    })
    expect(foreign.status).toBe(200)
    expect(await verdict(hash, foreign.data.signature)).toBe(invalid)
    const { signature } = await sign({ ...json, smart_account: false })
    expect(await verdict(hash, concat(['0x00', signature as Hex]))).toBe(invalid)
  })

  test('a dry run names the account without signing', async () => {
    const json = { type: 'message', message: 'hello', chain: 'local', smart_account: true, dry_run: true }
    const answer = await sign(json)
    expect(answer.address).toBe(lightAccountAddress(ownerOf(wallet)))
    expect(answer.signature).toBeUndefined()
  })

  test('the audit log says that it was the account’s', async () => {
    await sign({ type: 'message', message: 'audited', chain: 'local', smart_account: true })
    const [event] = await app.sql<{ payload: unknown }[]>`
      select payload from audit_events where wallet_id = ${wallet.id} order by n desc limit 1`
    expect(event?.payload).toMatchObject({ type: 'message', chain: 'local', smart_account: true })
  })

  test.each([
    ['another network', { type: 'message', message: 'hello', chain: 'tron' }],
    ['a hash', { type: 'hash', hash: `0x${'ab'.repeat(32)}` }],
    ['an operation', { type: 'user_operation', user_op_hash: `0x${'ab'.repeat(32)}` }],
  ])('%s has no smart account', async (_, json) => {
    const answer = await app.call('POST', '/v1/wallets/me/sign', {
      ...user,
      json: { ...json, smart_account: true },
    })
    expect(answer).toMatchObject({ status: 400, error: { code: 'invalid_request' } })
  })
})

describe('authorizations (EIP-7702)', () => {
  test('one that a TEE wallet signed makes its account run the contract’s code', async () => {
    const contract = lightAccountFactory
    const { signature, r, s, y_parity, address } = await sign({
      type: 'authorization',
      chain: 'local',
      contract,
      nonce: '0x0',
    })
    expect(address).toBe(ownerOf(wallet))
    expect(signature).toHaveLength(132)
    const authorization = {
      address: contract,
      chainId: 31_337,
      nonce: 0,
      r: r as Hex,
      s: s as Hex,
      yParity: y_parity ?? -1,
    }
    await mined(sender.sendTransaction({ to: sender.account.address, authorizationList: [authorization] }))
    const code = await reader().getCode({ address: ownerOf(wallet) })
    expect(code).toBe(`0xef0100${contract.slice(2).toLowerCase()}`)
  })
})
