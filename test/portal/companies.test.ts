import type { Wallet } from '@symbolon/api'
import {
  callAs,
  login,
  mailTo,
  newCompany,
  newMember,
  portalUser,
  startTestApp,
  type TestApp,
} from '@symbolon/testing/app'
import { holdOrganization, untilWaiting } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'

type Event = { event_type: string; payload: Record<string, unknown> }

let app: TestApp
let second: TestApp

beforeAll(async () => {
  app = await startTestApp()
  second = await startTestApp({ installation: app })
})
afterAll(async () => {
  await second.stop()
  await app.stop()
})

async function makeCompany(signingMode: 'client' | 'tee' = 'tee') {
  const owner = await portalUser(app)
  const { id } = await newCompany(app, owner, signingMode)
  const at = `/v1/orgs/${id}`
  const mint = async (type: 'publishable' | 'secret') =>
    (await callAs<{ key: string }>(app, owner, ['POST', `${at}/api-keys`, { name: type, type }])).data.key
  const tenant = { id, pk: await mint('publishable'), sk: await mint('secret'), keyId: '', readKey: '' }
  const change = (path: string, json: object) => callAs(app, owner, ['PATCH', `${at}${path}`, json])
  const newest = async (count = 1) =>
    (await callAs<{ items: Event[] }>(app, owner, ['GET', `${at}/audit?limit=${count}`])).data.items
  return { id, at, owner, tenant, change, newest }
}

test('the person who creates a company owns it, and its log begins with that', async () => {
  const owner = await portalUser(app)
  const body = { name: ' Acme GmbH ', slug: 'acme-gmbh', country: 'de' }
  const { status, data } = await callAs<{ id: string }>(app, owner, ['POST', '/v1/orgs', body])
  expect(status).toBe(201)
  expect(data).toMatchObject({
    name: 'Acme GmbH',
    slug: 'acme-gmbh',
    country: 'DE',
    role: 'owner',
    signing_mode: 'client',
    recovery_mode: 'service_managed',
    auth_config: { mode: 'service' },
    allowed_origins: [],
  })
  const log = await callAs<{ items: Event[]; total: number }>(app, owner, [
    'GET',
    `/v1/orgs/${data.id}/audit`,
  ])
  expect(log.data.items.map(({ event_type }) => event_type)).toEqual(['member.added', 'org.created'])
  const taken = await callAs(app, await portalUser(app), ['POST', '/v1/orgs', body])
  expect(taken).toMatchObject({ status: 409, error: { code: 'slug_taken' } })
})

test('of two who take one slug at the same moment, in two processes, one has it', async () => {
  for (let round = 0; round < 8; round++) {
    const body = { name: 'Race', slug: `race-${round}`, country: 'fr' }
    const users = [await portalUser(app), await portalUser(app)]
    const answers = await Promise.all(
      users.map((user, i) => callAs(i === 0 ? app : second, user, ['POST', '/v1/orgs', body])),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  }
})

test('a person makes 50 companies in 24 hours, in all processes together, and refused ones do not count', async () => {
  const owner = await portalUser(app)
  const make = (process: TestApp, slug: string) =>
    callAs(process, owner, ['POST', '/v1/orgs', { name: 'Many', slug, country: 'fr' }])
  await app.sql`update portal_users set companies_made_at = array_fill(app_now() - interval '23 hours', array[40])
    where id = ${owner.id}`
  const first = await make(app, 'many-first')
  expect([first.status, first.headers.get('ratelimit-remaining')]).toEqual([201, '9'])
  expect((await make(app, 'many-first')).status).toBe(409)
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, i) => make(i % 2 === 0 ? app : second, `many-${i}`)),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 429]))
  const refused = answers.filter(({ status }) => status !== 201)
  expect(answers.length - refused.length).toBe(9)
  for (const { status, error, headers } of refused) {
    expect([status, error?.code]).toEqual([429, 'rate_limited'])
    // In an hour the first of the day are over; the test may take a minute of it.
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_540)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3_600)
  }
  const rows = await app.sql`select 1 from organization_members where user_id = ${owner.id}`
  expect(rows).toHaveLength(10)
  // Those of the day before are gone; others make theirs all along.
  await app.sql`update portal_users set companies_made_at =
    array(select t - interval '1 hour' from unnest(companies_made_at) t) where id = ${owner.id}`
  expect((await make(app, 'many-later')).status).toBe(201)
  expect(
    (
      await callAs(app, await portalUser(app), [
        'POST',
        '/v1/orgs',
        { name: 'Other', slug: 'other-one', country: 'fr' },
      ])
    ).status,
  ).toBe(201)
})

test('the event has the changed settings before and after, and they hold in every process at once', async () => {
  const { change, newest, tenant } = await makeCompany()
  const origin = 'https://shop.example.test'
  const asked = () => second.call('GET', '/v1/chains', { pk: tenant.pk, headers: { origin } })
  expect((await asked()).status).toBe(403)
  const changes = { brand_color: '#A1B2C3', allowed_origins: [origin], name: 'Company' }
  const { data } = await change('', changes)
  expect(data).toMatchObject({ brand_color: '#a1b2c3', allowed_origins: [origin], name: 'Company' })
  expect((await asked()).status).toBe(200)
  expect(await newest()).toMatchObject([
    {
      event_type: 'org.settings_updated',
      payload: {
        before: { brand_color: null, allowed_origins: [] },
        after: { brand_color: '#a1b2c3', allowed_origins: [origin] },
      },
    },
  ])
  expect(Object.keys((await newest())[0]?.payload['after'] ?? {}).sort()).toEqual([
    'allowed_origins',
    'brand_color',
  ])
})

test('trusted clients are ranges that are not too wide, and an owner alone changes them', async () => {
  const { change, newest } = await makeCompany()
  const asked = async (...ranges: string[]) => (await change('', { trusted_clients: ranges })).error?.code
  for (const range of ['10.0.0.0/15', '0.0.0.0/0', '2001::/31', 'fe80::1%eth0', 'office', '10.0.0.1/33'])
    expect(await asked(range)).toBe('invalid_request')
  const { data } = await change('', { trusted_clients: ['203.0.113.7', '10.1.0.0/16', '2001:DB8::/32'] })
  expect(data['trusted_clients']).toEqual(['203.0.113.7/32', '10.1.0.0/16', '2001:db8::/32'])
  expect(await newest()).toMatchObject([{ event_type: 'org.settings_updated' }])
})

test('another way to log in ends earlier tokens, is recorded before and after, and emails the owners', async () => {
  const { change, newest, tenant, owner } = await makeCompany()
  const user = await login(app, tenant)
  const me = () => second.call('POST', '/v1/wallets/identify', { pk: user.pk, token: user.token })
  expect((await me()).status).toBe(200)
  const oidc = { mode: 'oidc', issuer: 'https://issuer.example.com', audience: 'app' }
  expect((await change('/auth', { auth_config: oidc })).data['auth_config']).toEqual(oidc)
  expect((await me()).status).toBe(401)
  expect(await newest()).toMatchObject([
    {
      event_type: 'org.auth_updated',
      payload: {
        before: { mode: 'service', issuer: null, audience: null },
        after: oidc,
      },
    },
  ])
  await mailTo(app, owner.email, 'the login of end users was changed')
  const renamed = { ...oidc, audience: 'other' }
  expect((await change('/auth', { auth_config: renamed })).data['auth_config']).toEqual(renamed)
  expect(await newest()).toMatchObject([{ payload: { before: oidc, after: renamed } }])
  // Back again, the old token stays ended.
  await change('/auth', { auth_config: { mode: 'service' } })
  expect((await me()).status).toBe(401)
})

test.each([
  'http://issuer.example.com',
  'https://10.0.0.1',
  'https://user:pass@issuer.example.com',
  'https://169.254.169.254/',
])('is not an issuer to call: %s', async (issuer) => {
  const { change } = await makeCompany()
  expect(await change('/auth', { auth_config: { mode: 'oidc', issuer, audience: 'app' } })).toMatchObject({
    status: 400,
    error: { code: 'invalid_request' },
  })
})

test('another recovery mode is recorded and mailed; the same one again is neither', async () => {
  const { change, newest, owner } = await makeCompany()
  await newMember(app, (await makeCompany()).id, 'admin')
  expect((await change('/recovery-mode', { mode: 'customer_managed' })).data['recovery_mode']).toBe(
    'customer_managed',
  )
  const [event] = await newest()
  expect(event).toMatchObject({
    event_type: 'org.recovery_mode_updated',
    payload: { before: 'service_managed', after: 'customer_managed' },
  })
  await mailTo(app, owner.email, 'the recovery mode was changed')
  await change('/recovery-mode', { mode: 'customer_managed' })
  expect(await newest()).toEqual([event])
})

test('the signing mode changes only before the first wallet', async () => {
  const { change, newest, tenant, owner } = await makeCompany()
  expect((await change('/signing-mode', { signing_mode: 'client' })).data['signing_mode']).toBe('client')
  expect(await newest()).toMatchObject([
    { event_type: 'org.signing_mode_updated', payload: { before: 'tee', after: 'client' } },
  ])
  await mailTo(app, owner.email, 'the signing mode was changed')
  await change('/signing-mode', { signing_mode: 'tee' })
  const user = await login(app, tenant)
  expect((await app.call('POST', '/v1/wallets', { ...user, json: {} })).status).toBe(201)
  // The mode that it has is refused like the other one: with wallets, the answer does not depend on it.
  for (const signing_mode of ['client', 'tee'])
    expect(await change('/signing-mode', { signing_mode })).toMatchObject({
      status: 409,
      error: { code: 'organization_has_wallets' },
    })
})

test('a wallet that is being made when the signing mode changes is not made', async () => {
  const { id, at, owner, tenant } = await makeCompany()
  const user = await login(app, tenant)
  const release = await holdOrganization(app, id)
  const change = callAs(second, owner, ['PATCH', `${at}/signing-mode`, { signing_mode: 'client' }])
  await untilWaiting(app)
  // It has read the mode of before, and waits behind the change.
  const creation = app.call<Wallet>('POST', '/v1/wallets', { pk: user.pk, token: user.token, json: {} })
  await untilWaiting(app, 2)
  await release()
  expect((await change).status).toBe(200)
  expect(await creation).toMatchObject({ status: 400, error: { code: 'signing_mode_mismatch' } })
  const backend = await app.call('POST', '/v1/s2s/wallets', {
    sk: tenant.sk,
    json: { email: 'a@example.test' },
  })
  expect(backend).toMatchObject({ status: 400, error: { code: 'signing_mode_mismatch' } })
  expect(await app.sql`select 1 from wallets where organization_id = ${id}`).toHaveLength(0)
})

test('in a race of changes and creations no wallet is of another mode than its organization', async () => {
  for (let round = 0; round < 10; round++) {
    const { id, at, owner, tenant } = await makeCompany()
    const json = { email: 'a@example.test' }
    await Promise.all([
      app.call('POST', '/v1/s2s/wallets', { sk: tenant.sk, json }),
      callAs(second, owner, ['PATCH', `${at}/signing-mode`, { signing_mode: 'client' }]),
    ])
    const mixed = await app.sql`
      select 1 from wallets w join organizations o on o.id = w.organization_id
      where o.id = ${id} and w.signing_mode <> o.signing_mode`
    expect(mixed).toHaveLength(0)
  }
})
