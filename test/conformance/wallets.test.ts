import { randomUUID } from 'node:crypto'
import { auditEventTypes, type Wallet, type WalletWithIdentity } from '@symbolon/api'
import {
  forgetRates,
  login,
  makeTenant,
  makeWallet,
  makeWalletFor,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type Page = { items: WalletWithIdentity[]; total: number; limit: number; offset: number }

let app: TestApp
let tenant: Tenant
let other: Tenant

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
  other = await makeTenant(app)
})
afterAll(() => app.stop())

const list = (query: string, sk = tenant.sk) => app.call<Page>('GET', `/v1/s2s/wallets${query}`, { sk })
const post = (path: string, sk = tenant.sk) => app.call('POST', `/v1/s2s/wallets/${path}`, { sk })

describe('in the wallet lane', () => {
  test('a wallet is created once: the second call is 409 with the wallet', async () => {
    const user = await login(app, tenant)
    const none = await app.call('GET', '/v1/wallets/me', user)
    expect(none).toMatchObject({ status: 404, error: { code: 'wallet_not_found' } })
    const wallet = await makeWallet(app, user)
    expect(wallet).toMatchObject({
      organization_id: tenant.id,
      user_identity_id: user.id,
      curve: 'secp256k1',
      chain_type: 'evm',
      account_type: 'eoa',
      status: 'active',
      signing_mode: 'tee',
      polynomial_version: 1,
      archived_at: null,
    })
    expect(wallet.address).toBe(wallet.addresses['evm'])
    expect(Object.keys(wallet.addresses).sort()).toEqual([
      'bitcoin',
      'bitcoin_taproot',
      'bitcoin_testnet',
      'cosmos',
      'evm',
      'osmosis',
      'tron',
    ])
    const again = await app.call<Wallet>('POST', '/v1/wallets', { ...user, json: {} })
    expect(again).toMatchObject({ status: 409, data: wallet, error: { code: 'wallet_exists' } })
    expect((await app.call('GET', '/v1/wallets/me', user)).data).toEqual(wallet)
  })

  test('of many creations at once one is 201 and the others return its wallet', async () => {
    const user = await login(app, tenant)
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        app.call<Wallet>('POST', '/v1/wallets', { ...user, json: { curve: 'ed25519' } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(409)])
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
  })

  test('chain_type names the address, if it is of the curve', async () => {
    const user = await login(app, tenant)
    const wrong = await app.call('POST', '/v1/wallets', {
      ...user,
      json: { curve: 'ed25519', chain_type: 'evm' },
    })
    expect(wrong).toMatchObject({ status: 400, error: { code: 'invalid_request' } })
    const { data } = await app.call<Wallet>('POST', '/v1/wallets', {
      ...user,
      json: { curve: 'ed25519', chain_type: 'near' },
    })
    expect([data.chain_type, data.address]).toEqual(['near', data.addresses['near']])
  })

  test.each([
    'address',
    'public_key',
    'provider_share',
    'provider_share_index',
    'recovery_share',
    'recovery_share_index',
  ])('in TEE mode %s is refused: the server makes the key', async (field) => {
    const user = await login(app, tenant)
    const values: Record<string, unknown> = {
      address: 'a',
      public_key: '0x00',
      provider_share: 'AAAA',
      recovery_share: 'AAAA',
    }
    const { status, error } = await app.call('POST', '/v1/wallets', {
      ...user,
      json: { [field]: values[field] ?? 1 },
    })
    expect([status, error?.code]).toEqual([400, 'invalid_request'])
    expect((await app.call<Wallet[]>('GET', '/v1/wallets/me/all', user)).data).toEqual([])
  })

  test('an archived wallet is gone from me, stays in me/all, and still takes its place', async () => {
    const user = await login(app, tenant)
    const wallet = await makeWallet(app, user)
    await post(`${wallet.id}/archive`)
    expect((await app.call('GET', '/v1/wallets/me', user)).error?.code).toBe('wallet_not_found')
    const all = await app.call<Wallet[]>('GET', '/v1/wallets/me/all', user)
    expect(all.data).toMatchObject([{ id: wallet.id, status: 'archived', archived_at: expect.any(String) }])
    const again = await app.call<Wallet>('POST', '/v1/wallets', { ...user, json: {} })
    expect(again).toMatchObject({ status: 409, data: { id: wallet.id, status: 'archived' } })
  })

  test('the wallets of both curves are all there, each under its own curve', async () => {
    const user = await login(app, tenant)
    const [a, b] = [await makeWallet(app, user), await makeWallet(app, user, 'ed25519')]
    const get = async (query: string) =>
      (await app.call<Wallet>('GET', `/v1/wallets/me${query}`, user)).data.id
    expect([await get(''), await get('?curve=secp256k1'), await get('?curve=ed25519')]).toEqual([
      a.id,
      a.id,
      b.id,
    ])
    const all = await app.call<Wallet[]>('GET', '/v1/wallets/me/all', user)
    expect(all.data.map(({ id }) => id).sort()).toEqual([a.id, b.id].sort())
  })
})

describe('in the backend lane', () => {
  test('a wallet made before the first login is the user’s after it', async () => {
    const email = 'early@example.test'
    const made = await makeWalletFor(app, tenant, 'secp256k1', '  EARLY@example.TEST')
    expect(made.identity).toMatchObject({ auth_provider: 'service', provider_user_id: email, email })
    const user = await login(app, tenant, email)
    expect(user.id).toBe(made.user_identity_id)
    const { identity: _, ...wallet } = made
    expect((await app.call('GET', '/v1/wallets/me', user)).data).toEqual(wallet)
    const read = await app.call('GET', `/v1/s2s/wallets/${made.id}`, { sk: tenant.readKey })
    expect(read).toMatchObject({ status: 200, data: made })
    const again = await app.call('POST', '/v1/s2s/wallets', { sk: tenant.sk, json: { email } })
    expect(again).toMatchObject({ status: 409, data: made, error: { code: 'wallet_exists' } })
  })

  test.each([
    {},
    { email: 'a@example.test', provider_user_id: 'a' },
    { email: 'no-email' },
    { provider_user_id: '' },
  ])('a user is named by exactly one of two names, not by %j', async (json) => {
    const { status, error } = await app.call('POST', '/v1/s2s/wallets', { sk: tenant.sk, json })
    expect([status, error?.code]).toEqual([400, 'invalid_request'])
  })

  test('an email in provider_user_id names the user who logs in with it, any other name has no email', async () => {
    const { sk } = tenant
    const create = (json: object) => app.call('POST', '/v1/s2s/wallets', { sk, json })
    const named = await create({ provider_user_id: ' Named@Example.test ' })
    expect(named.status).toBe(201)
    expect(named.data['identity']).toMatchObject({
      provider_user_id: 'named@example.test',
      email: 'named@example.test',
    })
    expect((await create({ email: 'named@example.test' })).status).toBe(409)
    const other = await create({ provider_user_id: 'customer-7' })
    expect(other.data['identity']).toMatchObject({ provider_user_id: 'customer-7', email: null })
  })

  test('the event of a change is there when the change is answered, in order, once for each real change', async () => {
    // An organization of its own: the calls below would use up the others' rate.
    const own = await makeTenant(app)
    const { sk } = own
    const { id } = await makeWalletFor(app, own, 'secp256k1', 'told@example.test')
    const types = ['wallet.created', 'wallet.archived', 'wallet.unarchived'].map((type) =>
      auditEventTypes.indexOf(type as (typeof auditEventTypes)[number]),
    )
    const seen = async () =>
      (
        await app.sql<{ type: number }[]>`select type from audit_events where wallet_id = ${id} order by n`
      ).map(({ type }) => types.indexOf(type))
    const expected = [0]
    for (let round = 0; round < 10; round++) {
      for (const [i, change] of ['archive', 'archive', 'unarchive', 'unarchive'].entries()) {
        expect((await app.call('POST', `/v1/s2s/wallets/${id}/${change}`, { sk })).status).toBe(204)
        if (i % 2 === 0) expected.push(change === 'archive' ? 1 : 2)
        expect(await seen()).toEqual(expected)
      }
    }
  })

  test('each item of a batch is answered as it would have been alone', async () => {
    const [a, b] = [`${randomUUID()}@example.test`, `${randomUUID()}@example.test`]
    const items = [
      { email: a },
      { email: b, curve: 'ed25519' },
      { email: a },
      { email: a, chain_type: 'solana' },
    ]
    const { status, data } = await app.call<{
      items: { status: number; data: WalletWithIdentity | null; error: { code: string } | null }[]
    }>('POST', '/v1/s2s/wallets/batch', { sk: tenant.sk, json: { items } })
    expect(status).toBe(200)
    expect(data.items[1]).toMatchObject({
      status: 201,
      data: { curve: 'ed25519', identity: { email: b } },
      error: null,
    })
    // Which of the equal ones is first is theirs to settle.
    const [first, , third] = data.items
    expect([first?.status, third?.status].sort()).toEqual([201, 409])
    expect(first?.data?.id).toBe(third?.data?.id)
  })

  test('a wallet that cannot be made leaves no user behind', async () => {
    const provider_user_id = randomUUID()
    const { status } = await app.call('POST', '/v1/s2s/wallets', {
      sk: tenant.sk,
      json: { provider_user_id, chain_type: 'solana' },
    })
    expect(status).toBe(400)
    const users = await app.sql`select 1 from identities where provider_user_id = ${provider_user_id}`
    expect(users).toEqual([])
  })

  test('a batch with a malformed item, with none or with 101 creates nothing', async () => {
    const before = (await list('')).data.total
    const batch = async (items: unknown[]) =>
      (await app.call('POST', '/v1/s2s/wallets/batch', { sk: tenant.sk, json: { items } })).error?.code
    const email = `${randomUUID()}@example.test`
    expect(await batch([{ email }, { email: 'nonsense' }])).toBe('invalid_request')
    expect(await batch([])).toBe('invalid_request')
    expect(await batch(Array.from({ length: 101 }, (_, i) => ({ email: `${i}-${email}` })))).toBe(
      'invalid_request',
    )
    expect((await list('')).data.total).toBe(before)
  })

  test("another organization's wallet answers as an absent one does, on every route", async () => {
    const { id } = await makeWalletFor(app, other)
    const calls: [string, string, object?][] = [
      ['GET', `/v1/s2s/wallets/{id}`],
      ['POST', `/v1/s2s/wallets/{id}/archive`],
      ['POST', `/v1/s2s/wallets/{id}/unarchive`],
      ['POST', '/v1/s2s/sign', { type: 'message', message: 'hi', wallet_id: '{id}' }],
    ]
    for (const [method, path, body] of calls) {
      const answer = async (wallet: string) => {
        const json = body && JSON.parse(JSON.stringify(body).replace('{id}', wallet))
        const { status, text } = await app.call(method, path.replace('{id}', wallet), {
          sk: tenant.sk,
          ...(json && { json }),
        })
        return { status, text }
      }
      const [foreign, absent] = [await answer(id), await answer(randomUUID())]
      expect(foreign).toEqual(absent)
      expect(foreign.status).toBe(404)
    }
    const { data } = await app.call<Wallet>('GET', `/v1/s2s/wallets/${id}`, { sk: other.sk })
    expect(data.status).toBe('active')
    expect((await list(`?user_identity_id=${data.user_identity_id}`)).data.total).toBe(0)
    expect((await list(`?address=${data.address}`)).data.total).toBe(0)
  })

  test.each(['not-a-uuid', '00000000-0000-0000-0000-00000000000g', '%00', '..%2f..', 'x'.repeat(300)])(
    'a path id that is no UUID is 404: %s',
    async (id) => {
      expect((await app.call('GET', `/v1/s2s/wallets/${id}`, { sk: tenant.sk })).status).toBe(404)
      expect((await post(`${id}/archive`)).status).toBe(404)
    },
  )
})

describe('the list', () => {
  let owner: Tenant
  let made: WalletWithIdentity[]

  beforeAll(async () => {
    await forgetRates(app)
    owner = await makeTenant(app)
    made = []
    for (let i = 0; i < 12; i++) {
      // Each of six users gets both curves, mixed over the sequence.
      const curve = i % 2 === Math.floor(i / 6) ? 'ed25519' : 'secp256k1'
      made.unshift(await makeWalletFor(app, owner, curve, `user-${i % 6}@example.test`))
    }
    for (const i of [1, 5, 6])
      await app.call('POST', `/v1/s2s/wallets/${made[i]?.id}/archive`, { sk: owner.sk })
    made = (await list('', owner.sk)).data.items
    await forgetRates(app)
  })

  const ids = async (query: string) => {
    const { status, data } = await list(query, owner.readKey)
    expect(status).toBe(200)
    return { total: data.total, ids: data.items.map(({ id }) => id) }
  }
  const having = (test: (wallet: WalletWithIdentity) => boolean) => made.filter(test).map(({ id }) => id)

  test('is newest first, with the exact total and the page it was asked for', async () => {
    const { data } = await list('', owner.sk)
    expect([data.total, data.limit, data.offset, data.items.length]).toEqual([12, 50, 0, 12])
    const times = data.items.map(({ created_at }) => created_at)
    expect(times).toEqual([...times].sort().reverse())
    const all = having(() => true)
    expect(await ids('?limit=5&offset=4')).toEqual({ total: 12, ids: all.slice(4, 9) })
    expect(await ids('?offset=11')).toEqual({ total: 12, ids: all.slice(11) })
    expect(await ids('?offset=12')).toEqual({ total: 12, ids: [] })
    for (const query of ['?', '?status=active&', '?curve=secp256k1&', '?email=nobody@example.test&'])
      expect((await ids(`${query}offset=9007199254740991`)).ids).toEqual([])
  })

  test('each filter and all of them together keep order and total', async () => {
    const [some] = made
    const email = some?.identity.email ?? ''
    const cases: [string, (wallet: WalletWithIdentity) => boolean][] = [
      ['?status=archived', ({ status }) => status === 'archived'],
      ['?status=active', ({ status }) => status === 'active'],
      ['?curve=ed25519', ({ curve }) => curve === 'ed25519'],
      [
        '?curve=secp256k1&status=archived',
        ({ curve, status }) => curve === 'secp256k1' && status === 'archived',
      ],
      [`?email=${encodeURIComponent(` ${email.toUpperCase()}`)}`, ({ identity }) => identity.email === email],
      [
        `?user_identity_id=${some?.user_identity_id}`,
        ({ user_identity_id }) => user_identity_id === some?.user_identity_id,
      ],
      [
        `?email=${email}&status=active`,
        ({ identity, status }) => identity.email === email && status === 'active',
      ],
      ['?email=nobody@example.test', () => false],
    ]
    for (const [query, holds] of cases) {
      const expected = having(holds)
      expect(await ids(query)).toEqual({ total: expected.length, ids: expected })
      expect(await ids(`${query}&limit=2&offset=1`)).toEqual({
        total: expected.length,
        ids: expected.slice(1, 3),
      })
    }
  })

  test('every address of a wallet finds it, EVM addresses in any case', async () => {
    const wallet = made.find(({ curve }) => curve === 'secp256k1')
    const evm = wallet?.addresses['evm'] ?? ''
    const spellings = [
      ...Object.values(wallet?.addresses ?? {}),
      evm.toLowerCase(),
      `0x${evm.slice(2).toUpperCase()}`,
    ]
    for (const address of spellings)
      expect(await ids(`?address=${address}`)).toEqual({ total: 1, ids: [wallet?.id] })
  })

  test.each([
    'limit=0',
    'limit=201',
    'limit=-1',
    'limit=1.5',
    'limit=1e2',
    'limit=',
    'limit=+5',
    'limit=05',
    'limit=ten',
    'limit=1&limit=2',
    'offset=-1',
    'offset=99999999999999999999',
    'offset=0x10',
    'status=gone',
    'curve=p256',
    'user_identity_id=nobody',
    'email=nobody',
    'address=',
    'email=a%00@example.test',
    'address=%00',
    'sort=asc',
  ])('%s is refused, not clamped or ignored', async (query) => {
    await forgetRates(app)
    expect(await list(`?${query}`, owner.sk)).toMatchObject({
      status: 400,
      error: { code: 'invalid_request' },
    })
  })

  test('the bounds themselves are fine', async () => {
    expect((await list('?limit=1&offset=0', owner.sk)).status).toBe(200)
    expect((await list('?limit=200', owner.sk)).status).toBe(200)
  })
})
