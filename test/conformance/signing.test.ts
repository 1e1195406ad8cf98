import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { NetworkName, SignResponse, Wallet } from '@symbolon/api'
import { networks } from '@symbolon/networks'
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
import { verifyTextOf } from '@symbolon/testing/oracles'
import {
  hashMessage,
  hashTypedData,
  keccak256,
  parseTransaction,
  recoverMessageAddress,
  recoverTransactionAddress,
  serializeTransaction,
  verifyTypedData,
} from 'viem'
import { recoverAuthorizationAddress } from 'viem/utils'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

type Hex = `0x${string}`

let app: TestApp
let tenant: Tenant
let user: User
let wallets: Record<'secp256k1' | 'ed25519', Wallet>

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
  user = await login(app, tenant)
  wallets = { secp256k1: await makeWallet(app, user), ed25519: await makeWallet(app, user, 'ed25519') }
})
afterAll(() => app.stop())
beforeEach(() => forgetRates(app))

/** Signs in both lanes and answers the backend's; they must agree wherever nothing is drawn at random. */
async function sign(
  json: Record<string, unknown>,
  curve: 'secp256k1' | 'ed25519' = 'secp256k1',
): Promise<SignResponse> {
  const wallet_id = wallets[curve].id
  const mine = await app.call<SignResponse>('POST', '/v1/wallets/me/sign', {
    ...user,
    json: { curve, ...json },
  })
  const answer = await app.call<SignResponse>('POST', '/v1/s2s/sign', {
    sk: tenant.sk,
    json: { ...json, wallet_id },
  })
  expect(mine).toMatchObject({ status: 200, error: null })
  expect(answer).toMatchObject({ status: 200, error: null })
  if (answer.data.nonce === undefined) expect(mine.data).toEqual(answer.data)
  expect(answer.data).toMatchObject({
    wallet_id,
    curve,
    public_key: wallets[curve].public_key,
    type: json['type'],
  })
  return answer.data
}

const refused = async (json: Record<string, unknown>, curve: 'secp256k1' | 'ed25519' = 'secp256k1') => {
  const { status, error } = await app.call('POST', '/v1/s2s/sign', {
    sk: tenant.sk,
    json: { wallet_id: wallets[curve].id, ...json },
  })
  return { status, code: error?.code }
}

describe('messages', () => {
  test.each(
    networks.chains.map(
      ({ handle, network, curve, addressName }) => [handle, network, curve, addressName] as const,
    ),
  )('a message for %s passes the library of its network', async (chain, network, curve, addressName) => {
    const text = `Log in to ${chain}`
    const answer = await sign({ type: 'message', message: text, chain }, curve)
    expect(answer.chain).toBe(chain)
    expect(answer.address).toBe(wallets[curve].addresses[addressName])
    expect(answer.encoding).toBe(network === 'bitcoin' ? 'base64' : 'hex')
    expect(answer.signed_payload).toMatch(/^0x([0-9a-f]{2})+$/)
    expect(await verifyTextOf[network as NetworkName](text, answer)).toBe(true)
    // The verifier can say no.
    expect(await verifyTextOf[network as NetworkName](`${text}!`, answer)).toBe(false)
  })

  test('without a chain the curve decides: ethereum or solana', async () => {
    const evm = await sign({ type: 'message', message: 'hello' })
    const solana = await sign({ type: 'message', message: 'hello' }, 'ed25519')
    expect([evm.chain, solana.chain]).toEqual(['ethereum', 'solana'])
    expect(await verifyTextOf.evm('hello', evm)).toBe(true)
    expect(await verifyTextOf.solana('hello', solana)).toBe(true)
  })

  test('32 bytes in hex are a message of 32 bytes, and base64 names bytes too', async () => {
    const raw = `0x${'ab'.repeat(32)}` as const
    const hex = await sign({ type: 'message', message: raw, encoding: 'hex' })
    expect(await recoverMessageAddress({ message: { raw }, signature: hex.signature as Hex })).toBe(
      hex.address,
    )
    const message = Buffer.from(raw.slice(2), 'hex').toString('base64')
    expect((await sign({ type: 'message', message, encoding: 'base64' })).signature).toBe(hex.signature)
  })

  test('a bare Solana message is signed as it is, but never where it could be a transaction', async () => {
    const raw = await sign({ type: 'message', message: 'bare', scheme: 'raw', chain: 'solana' }, 'ed25519')
    expect(raw.signed_payload).toBe(`0x${Buffer.from('bare').toString('hex')}`)
    const thirtyTwo = {
      type: 'message',
      message: `0x${'01'.repeat(32)}`,
      encoding: 'hex',
      scheme: 'raw',
      chain: 'solana',
    }
    expect(await refused(thirtyTwo, 'ed25519')).toEqual({ status: 400, code: 'invalid_payload' })
  })

  test('fields of another network are refused', async () => {
    const { secp256k1: evm } = wallets
    for (const field of [{ recipient: 'a' }, { callback_url: 'b' }, { nonce: 'c' }, { scheme: 'raw' }]) {
      const answer = await refused({ type: 'message', message: 'hello', wallet_id: evm.id, ...field })
      expect(answer).toEqual({ status: 400, code: 'invalid_request' })
    }
  })

  test.each(['a lone \ud800 surrogate', '\udc00'])('%j is not text', async (message) => {
    expect(await refused({ type: 'message', message })).toEqual({ status: 400, code: 'invalid_payload' })
  })

  test.each([
    { message: 'YQ', encoding: 'base64' },
    { message: 'YR==', encoding: 'base64' },
    { message: '0xabc', encoding: 'hex' },
    { message: 'abcd', encoding: 'hex' },
    { message: 'hello', encoding: 'utf16' },
  ])('%j is not the canonical form', async (given) => {
    expect(await refused({ type: 'message', ...given })).toEqual({ status: 400, code: 'invalid_request' })
  })

  test('a curve that contradicts chain or wallet is refused', async () => {
    const message = { type: 'message', message: 'hello' }
    const wrong = { status: 400, code: 'invalid_request' }
    expect(await refused({ ...message, curve: 'ed25519', chain: 'base' })).toEqual(wrong)
    expect(await refused({ ...message, curve: 'ed25519' })).toEqual(wrong)
    expect(await refused({ ...message, chain: 'solana' })).toEqual(wrong)
    expect(await refused({ ...message, chain: 'solana' }, 'ed25519')).toEqual({
      status: 200,
      code: undefined,
    })
  })
})

describe('EVM payloads', () => {
  const typed_data = {
    domain: { name: 'Ether Mail', version: '1', chainId: 1, verifyingContract: `0x${'cc'.repeat(20)}` },
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      Person: [{ name: 'name', type: 'string' }],
      Mail: [
        { name: 'from', type: 'Person' },
        { name: 'to', type: 'Person[]' },
        { name: 'amount', type: 'uint256' },
      ],
    },
    primaryType: 'Mail',
    message: {
      from: { name: 'Cow' },
      to: [{ name: 'Bob' }],
      amount: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
    },
  }

  test('typed data passes viem', async () => {
    const answer = await sign({ type: 'typed_data', typed_data })
    const given = typed_data as unknown as Parameters<typeof hashTypedData>[0]
    expect(keccak256(answer.signed_payload as Hex)).toBe(hashTypedData(given))
    const address = answer.address as Hex
    expect(await verifyTypedData({ ...given, address, signature: answer.signature as Hex })).toBe(true)
  })

  test.each([
    ['a text where a number is declared', { ...typed_data.message, amount: 'many' }],
    ['a number of another spelling', { ...typed_data.message, amount: '007' }],
    ['a field that is missing', { from: { name: 'Cow' }, to: [] }],
    ['a lone surrogate', { ...typed_data.message, from: { name: '\ud800' } }],
  ])('typed data with %s is refused', async (_, message) => {
    const answer = await refused({ type: 'typed_data', typed_data: { ...typed_data, message } })
    expect(answer).toEqual({ status: 400, code: 'invalid_payload' })
  })

  test.each([
    ['Mail(uint256 a)', 'amount'],
    ['Mail,Person', 'amount'],
    ['Mail Person', 'amount'],
    ['Mail', 'uint256 a,uint256 b'],
    ['Mail', 'a:b'],
  ])(
    'a type named %j with a member named %j is refused, for another would encode alike',
    async (type, name) => {
      const named = {
        domain: {},
        types: { [type]: [{ name, type: 'uint256' }] },
        primaryType: type,
        message: { [name]: '1' },
      }
      expect(await refused({ type: 'typed_data', typed_data: named })).toEqual({
        status: 400,
        code: 'invalid_payload',
      })
    },
  )

  const to = `0x${'12'.repeat(20)}`
  const common = { to, value: '0xde0b6b3a7640000', data: '0xdeadbeef', nonce: '0x7', gas_limit: '0x5208' }
  const access_list = [{ address: to, storage_keys: [`0x${'01'.repeat(32)}`] }]
  const accessList = [{ address: to as Hex, storageKeys: [`0x${'01'.repeat(32)}` as Hex] }]
  const fields = {
    to: to as Hex,
    value: 10n ** 18n,
    data: '0xdeadbeef',
    nonce: 7,
    gas: 21_000n,
    chainId: 8453,
  } as const

  test.each([
    [
      'EIP-1559',
      { ...common, max_fee_per_gas: '0x77359400', max_priority_fee_per_gas: '0x1', access_list },
      { ...fields, type: 'eip1559', maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n, accessList },
    ],
    [
      'EIP-2930',
      { ...common, gas_price: '0x77359400', access_list },
      { ...fields, type: 'eip2930', gasPrice: 2_000_000_000n, accessList },
    ],
    [
      'legacy',
      { ...common, gas_price: '0x77359400' },
      { ...fields, type: 'legacy', gasPrice: 2_000_000_000n },
    ],
  ] as const)(
    'a transaction of type %s is the one viem serializes, signed by the wallet',
    async (_, transaction, expected) => {
      const answer = await sign({ type: 'transaction', chain: 'base', transaction })
      const unsigned = serializeTransaction(expected as never)
      const serialized = answer.signed_transaction as never
      expect(parseTransaction(serialized)).toMatchObject({ ...fields, type: expected.type })
      expect(await recoverTransactionAddress({ serializedTransaction: serialized })).toBe(answer.address)
      expect(answer.transaction_hash).toBe(keccak256(answer.signed_transaction as Hex))
      // The same by its unsigned bytes.
      const byBytes = await sign({ type: 'transaction', chain: 'base', transaction: unsigned })
      expect(byBytes.signed_transaction).toBe(answer.signed_transaction)
    },
  )

  test('a transaction is signed for its own chain only', async () => {
    const transaction = { ...common, gas_price: '0x1' }
    const unsigned = serializeTransaction({ ...fields, gasPrice: 1n, type: 'legacy' })
    const wrong = { status: 400, code: 'invalid_payload' }
    expect(await refused({ type: 'transaction', chain: 'ethereum', transaction: unsigned })).toEqual(wrong)
    expect(
      await refused({ type: 'transaction', chain: 'base', transaction: { ...transaction, chain_id: '0x1' } }),
    ).toEqual(wrong)
    expect(await refused({ type: 'transaction', chain: 'base', transaction: `${unsigned}00` })).toEqual(wrong)
    expect(await refused({ type: 'transaction', chain: 'bitcoin', transaction })).toEqual(wrong)
    expect(await refused({ type: 'transaction', transaction })).toEqual({
      status: 400,
      code: 'invalid_request',
    })
  })

  test('a bare hash is signed as it is', async () => {
    const hash = `0x${'5a'.repeat(32)}`
    const { signature, public_key } = await sign({ type: 'hash', hash })
    const compact = Buffer.from(signature?.slice(2, 130) ?? '', 'hex')
    const key = Buffer.from(public_key.slice(2), 'hex')
    expect(secp256k1.verify(compact, Buffer.from(hash.slice(2), 'hex'), key, { prehash: false })).toBe(true)
    expect((await refused({ type: 'hash', hash }, 'ed25519')).status).toBe(400)
  })

  test('the hash of a user operation is signed as an EIP-191 message', async () => {
    const user_op_hash = `0x${'6b'.repeat(32)}` as const
    const { signature, address, signed_payload } = await sign({
      type: 'user_operation',
      user_op_hash,
      chain: 'base',
    })
    const message = { raw: user_op_hash }
    expect(keccak256(signed_payload as Hex)).toBe(hashMessage(message))
    expect(await recoverMessageAddress({ message, signature: signature as Hex })).toBe(address)
  })

  test('an authorization passes viem for its chain and nonce', async () => {
    const contract = `0x${'34'.repeat(20)}` as const
    const answer = await sign({ type: 'authorization', chain: 'base', contract, nonce: '0x9' })
    const authorization = { address: contract, chainId: 8453, nonce: 9 } as const
    const { r, s, y_parity } = answer
    const signature = { r: r as Hex, s: s as Hex, yParity: y_parity ?? -1 }
    expect(await recoverAuthorizationAddress({ authorization, signature })).toBe(answer.address)
  })
})

describe('previews', () => {
  test('a dry run decodes and checks, but signs nothing and leaves no event', async () => {
    const before = await app.sql`select count(*) as n from audit_events where organization_id = ${tenant.id}`
    const answer = await sign({ type: 'message', message: 'hello', dry_run: true })
    expect(answer.signature).toBeUndefined()
    expect(answer.decoded_preview).toMatchObject({ chain: 'ethereum', from: wallets.secp256k1.address })
    const after = await app.sql`select count(*) as n from audit_events where organization_id = ${tenant.id}`
    expect(after).toEqual(before)
    expect(await refused({ type: 'message', message: '\ud800', dry_run: true })).toEqual({
      status: 400,
      code: 'invalid_payload',
    })
  })

  test.each(networks.chains.map(({ handle, curve }) => [handle, curve] as const))(
    'a dry run of a message for %s returns the bytes to sign, and everything that goes into them',
    async (chain, curve) => {
      const request = { type: 'message', message: `Log in to ${chain}`, chain }
      const { preview, decoded_preview, ...dry } = await sign({ ...request, dry_run: true }, curve)
      const { nonce, recipient } = dry
      // What was made up for it goes into the next request, so that the bytes are the same.
      const again = { ...request, ...(nonce && { nonce }), ...(recipient && { recipient }) }
      const signed = await sign(again, curve)
      const { signature, encoding, r, s, v, y_parity, signature_base58, ...rest } = signed
      expect(dry.signed_payload).toMatch(/^0x([0-9a-f]{2})+$/)
      expect({ ...dry, preview, decoded_preview }).toEqual(rest)
    },
  )

  const typed_data = {
    domain: { name: 'Shop', chainId: 1 },
    types: { Order: [{ name: 'id', type: 'uint256' }] },
    primaryType: 'Order',
    message: { id: '7' },
  }
  const contract = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
  test.each([
    { type: 'typed_data', typed_data },
    { type: 'authorization', chain: 'base', contract, nonce: '0x1' },
    { type: 'user_operation', user_op_hash: `0x${'ab'.repeat(32)}` },
    { type: 'hash', hash: `0x${'ab'.repeat(32)}` },
  ])('a dry run of $type returns the same about the bytes as the answer', async (request) => {
    const dry = await sign({ ...request, dry_run: true })
    expect(dry.signed_payload).toBe((await sign(request)).signed_payload)
    expect(dry.signed_payload === undefined).toBe(request.type === 'hash')
  })

  test("the client's preview is echoed beside the server's own", async () => {
    const preview = { title: 'Pay the baker' }
    const answer = await sign({ type: 'message', message: 'hello', preview })
    expect(answer.preview).toEqual(preview)
    expect(answer.decoded_preview.title).toContain('hello')
    expect((await sign({ type: 'message', message: 'hello' })).preview).toEqual(answer.decoded_preview)
  })
})

test('an archived wallet signs in no lane until it is taken out of the archive', async () => {
  const path = `/v1/s2s/wallets/${wallets.ed25519.id}`
  const json = { type: 'message', message: 'hello', chain: 'solana' }
  const archive = () => app.call('POST', `${path}/archive`, { sk: tenant.sk })
  expect([(await archive()).status, (await archive()).status]).toEqual([204, 204])
  expect(await refused(json, 'ed25519')).toEqual({ status: 409, code: 'wallet_archived' })
  const mine = await app.call('POST', '/v1/wallets/me/sign', { ...user, json })
  expect(mine).toMatchObject({ status: 409, error: { code: 'wallet_archived' } })
  expect((await app.call('POST', `${path}/unarchive`, { sk: tenant.sk })).status).toBe(204)
  expect((await refused(json, 'ed25519')).status).toBe(200)
})

test('every signature and every refusal of one is in the audit log', async () => {
  await refused({ type: 'message', message: '\ud800' })
  const rows = await app.sql<
    { success: boolean; error_code: string; actor_type: string; wallet_id: string }[]
  >`
    select success, error_code, actor_type, wallet_id from audit_events where organization_id = ${tenant.id} order by n desc limit 1`
  expect([...rows]).toEqual([
    { success: false, error_code: 'invalid_payload', actor_type: 'api_key', wallet_id: wallets.secp256k1.id },
  ])
})
