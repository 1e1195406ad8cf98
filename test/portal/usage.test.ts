import { auditEventTypes, type Usage } from '@symbolon/api'
import { settlementStore } from '@symbolon/server/testing/transactions'
import { mintSession, signAs } from '@symbolon/testing/agents'
import {
  callAs,
  forgetRates,
  joinOrganization,
  login,
  makeWallet,
  makeWalletFor,
  newCompany,
  type PortalUser,
  portalUser,
  startClock,
  startTestApp,
  stopClock,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { builtRow, claimRow, followedRow, seedAccount, someConfirmation } from '@symbolon/testing/database'
import { makeClientWallet } from '@symbolon/testing/wallets'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let app: TestApp
let owner: PortalUser

beforeAll(async () => {
  app = await startTestApp()
  owner = await portalUser(app)
})
afterEach(() => startClock(app))
afterAll(() => app.stop())

async function makeCompany(mode: 'client' | 'tee' = 'tee'): Promise<Tenant> {
  const { id } = await newCompany(app, owner, mode)
  const mint = async (type: string) =>
    (await callAs<{ key: string }>(app, owner, ['POST', `/v1/orgs/${id}/api-keys`, { name: type, type }]))
      .data.key
  return { id, pk: await mint('publishable'), sk: await mint('secret'), keyId: '', readKey: '' }
}

const usage = async (id: string, query = '') =>
  (await callAs<Usage>(app, owner, ['GET', `/v1/orgs/${id}/usage${query}`])).data
const none = {
  wallets_created: 0,
  signatures: {},
  share_releases: 0,
  sponsored_eur: '0.000000',
  refusals: 0,
  errors: 0,
}

test('the kinds that the database counts are the events of these names', () => {
  const index = (name: (typeof auditEventTypes)[number]) => auditEventTypes.indexOf(name)
  expect([
    'wallet.created',
    'wallet.imported',
    'wallet.signed',
    'wallet.sign_refused',
    'provider_share.released',
  ]).toEqual([0, 18, 15, 16, 19].map((i) => auditEventTypes[i]))
  expect(index('wallet.signed')).toBe(15)
})

test('every event is counted on its day, exactly once, whoever asks', async () => {
  const tenant = await makeCompany()
  const day = new Date('2026-03-31T23:59:00.000Z').getTime()
  await stopClock(app, day)
  const user = await login(app, tenant)
  const wallet = await makeWallet(app, user)
  await makeWallet(app, user, 'ed25519')
  const sign = async (json: object) => {
    await forgetRates(app)
    const body = { wallet_id: wallet.id, type: 'message', message: 'hi', ...json }
    return (await app.call('POST', '/v1/s2s/sign', { sk: tenant.sk, json: body })).status
  }
  expect([await sign({}), await sign({}), await sign({ chain: 'bitcoin' })]).toEqual([200, 200, 200])
  await stopClock(app, day + 120_000)
  expect(await sign({ chain: 'tron' })).toBe(200)
  // A dry run signs nothing; what cannot be decoded is refused.
  expect([await sign({ dry_run: true }), await sign({ message: '\ud800' })]).toEqual([200, 400])
  await app.call('POST', '/v1/wallets/auth/email-otp/start', {
    pk: tenant.pk,
    json: { email: 'a@example.test' },
  })
  await app.call('POST', '/v1/wallets/auth/email-otp/verify', {
    pk: tenant.pk,
    json: { email: 'a@example.test', code: '000000' },
  })
  const first = { ...none, day: '2026-03-31', wallets_created: 2, signatures: { evm: 2, bitcoin: 1 } }
  const second = { ...none, day: '2026-04-01', signatures: { tron: 1 }, refusals: 1, errors: 1 }
  expect(await usage(tenant.id, '?from=2026-03-30&to=2026-04-01')).toEqual({
    items: [{ ...none, day: '2026-03-30' }, first, second],
    totals: {
      ...none,
      wallets_created: 2,
      signatures: { evm: 2, bitcoin: 1, tron: 1 },
      refusals: 1,
      errors: 1,
    },
    from: '2026-03-30',
    to: '2026-04-01',
  })
  const month = await usage(tenant.id)
  expect([month.items.length, month.from, month.to]).toEqual([30, '2026-03-03', '2026-04-01'])
})

test('the counters are what a count over all events would say', async () => {
  const rows = await app.sql`
    select u.kind, sum(u.amount)::bigint = (select count(*) from audit_events e
      where usage_kind(e.type, e.success, e.payload) = u.kind) as "isExact"
    from usage_days u where u.kind <> 'sponsored_micro' group by u.kind`
  expect(rows.length).toBeGreaterThan(3)
  for (const row of rows) expect(row).toMatchObject({ isExact: true })
})

test('in client mode what counts is the share that a signature takes', async () => {
  const tenant = await makeCompany('client')
  const user = await login(app, tenant)
  await makeClientWallet(app, user)
  for (const purpose of ['sign', 'sign', 'export', 'refresh']) {
    await forgetRates(app)
    const { status } = await app.call('POST', `/v1/wallets/me/shares/provider?purpose=${purpose}`, {
      pk: user.pk,
      token: user.token,
    })
    expect(status).toBe(200)
  }
  expect((await usage(tenant.id)).totals).toEqual({ ...none, wallets_created: 1, share_releases: 2 })
})

test('a signature of an agent counts like any other, by its network', async () => {
  const tenant = await makeCompany()
  const { id } = await makeWalletFor(app, tenant)
  const session = await mintSession(app, tenant, id)
  const message = { type: 'message', message: 'hello', chain: 'base' }
  expect((await signAs(app, session.token, message)).status).toBe(200)
  expect((await signAs(app, session.token, { ...message, chain: 'tron' })).status).toBe(403)
  expect((await usage(tenant.id)).totals).toMatchObject({ signatures: { evm: 1 }, refusals: 1 })
})

test('sponsored gas counts on the day it landed, and is taken back when the chain drops it', async () => {
  const account = await seedAccount(app.sql)
  await joinOrganization(app, account.organizationId, { user: owner, role: 'viewer' })
  const operation = await builtRow(app.sql, account, 5_000n)
  await claimRow(app.sql, operation)
  const of = async () => (await usage(account.organizationId)).totals.sponsored_eur
  const confirmation = someConfirmation(3_000n)
  await settlementStore.confirm(app.sql, followedRow(operation), confirmation)
  expect(await of()).toBe('0.003000')
  await settlementStore.reopen(app.sql, followedRow(operation), confirmation.blockHash)
  expect(await of()).toBe('0.000000')
  await settlementStore.confirm(app.sql, followedRow(operation), someConfirmation(4_000n))
  expect(await of()).toBe('0.004000')
})

test.each([
  '?from=2026-01-01&to=2025-12-31',
  '?from=2024-01-01&to=2026-01-01',
  '?from=2026-02-30',
  '?from=1.1.2026',
  '?to=',
  '?from=2026-1-1',
  '?from=0000-01-01&to=0000-01-02',
])('is not a range of days: %s', async (query) => {
  const { id } = await makeCompany()
  expect(await callAs(app, owner, ['GET', `/v1/orgs/${id}/usage${query}`])).toMatchObject({
    status: 400,
    error: { code: 'invalid_request' },
  })
})

test('end users are listed newest first with an exact total, their wallets counted', async () => {
  const tenant = await makeCompany()
  type Row = { email: string; wallets: number; user_identity_id: string }
  const list = async (query = '') =>
    (
      await callAs<{ items: Row[]; total: number }>(app, owner, [
        'GET',
        `/v1/orgs/${tenant.id}/users${query}`,
      ])
    ).data
  expect(await list()).toMatchObject({ items: [], total: 0 })
  const emails = Array.from({ length: 25 }, (_, i) => `user-${i}@example.test`)
  await Promise.all(
    emails.map((email) =>
      app.call('POST', '/v1/s2s/wallets', { sk: tenant.sk, json: { email, curve: 'ed25519' } }),
    ),
  )
  await app.call('POST', '/v1/s2s/wallets', { sk: tenant.sk, json: { email: emails[3] } })
  const user = await login(app, tenant)
  const all = (await list('?limit=200')).items
  expect(all[0]).toMatchObject({ email: user.email, user_identity_id: user.id, wallets: 0 })
  expect(all.map(({ email }) => email).sort()).toEqual([...emails, user.email].sort())
  expect(await list('?limit=3&offset=24')).toMatchObject({ items: all.slice(24), total: 26 })
  expect(await list('?limit=3&offset=26')).toMatchObject({ items: [], total: 26 })
  expect(await list('?email=User-3@example.test')).toMatchObject({
    items: [{ email: emails[3], wallets: 2 }],
    total: 1,
  })
  expect(await list('?email=nobody@example.test')).toMatchObject({ items: [], total: 0 })
  // Again and again the same people: nobody is counted twice.
  await login(app, tenant, emails[3])
  expect((await list()).total).toBe(26)
})
