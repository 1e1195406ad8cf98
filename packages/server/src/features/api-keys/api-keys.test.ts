import {
  callAs,
  liftRates,
  newCompany,
  newMember,
  type PortalUser,
  portalUser,
  startClock,
  startTestApp,
  stopClock,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

type Key = { id: string; key: string; hint: string; expires_at: string | null; ip_allowlist: string[] }
type Event = { event_type: string; actor_type: string; actor_id: string; payload: Record<string, unknown> }

let app: TestApp
let second: TestApp
let owner: PortalUser
let orgId: string
let path: string

beforeAll(async () => {
  app = await startTestApp()
  second = await startTestApp({ installation: app })
  // The clock goes back, and rates with it.
  await liftRates(app)
  owner = await portalUser(app)
  orgId = (await newCompany(app, owner)).id
  path = `/v1/orgs/${orgId}/api-keys`
})
afterEach(() => startClock(app))
afterAll(async () => {
  await second.stop()
  await app.stop()
})

const mint = (fields: object = {}) =>
  callAs<Key>(app, owner, ['POST', path, { name: 'backend', type: 'secret', ...fields }])
const rotate = (id: string, grace: number) =>
  callAs<Key>(app, owner, ['POST', `${path}/${id}/rotate`, { grace_seconds: grace }])
const revoke = (id: string, process = app) => callAs(process, owner, ['DELETE', `${path}/${id}`])
const works = async (sk: string, process = app) =>
  (await process.call('GET', '/v1/s2s/wallets', { sk })).status === 200
const events = async (id = orgId): Promise<Event[]> =>
  (await callAs<{ items: Event[] }>(app, owner, ['GET', `/v1/orgs/${id}/audit?limit=200`])).data.items

test('a key is shown once, works at once in every process, and is known by its hint', async () => {
  const { data } = await mint({ scope: 'read' })
  expect(data.key).toMatch(/^sk_live_[0-9A-Za-z]{49}$/)
  expect(data.hint).toBe(`sk_live_…${data.key.slice(-4)}`)
  expect(await works(data.key, second)).toBe(true)
  const list = await callAs<{ items: Key[] }>(second, owner, ['GET', path])
  expect(list.data.items[0]).toMatchObject({ id: data.id, hint: data.hint, scope: 'read', name: 'backend' })
  expect(list.text).not.toContain(data.key.slice(8, -6))
  const refused = await app.call('POST', '/v1/s2s/wallets', {
    sk: data.key,
    json: { email: 'a@example.test' },
  })
  expect(refused).toMatchObject({ status: 403, error: { code: 'insufficient_scope' } })
})

test('a key that one process revokes is refused by the other from the next request on', async () => {
  for (let round = 0; round < 10; round++) {
    const { data } = await mint()
    const [here, there] = round % 2 === 0 ? [app, second] : [second, app]
    expect(await works(data.key, there)).toBe(true)
    expect((await revoke(data.id, here)).status).toBe(204)
    expect([await works(data.key, there), await works(data.key, here)]).toEqual([false, false])
  }
})

test("another company's key is not there: it is neither revoked nor replaced by one's own path", async () => {
  const stranger = await portalUser(app)
  const { id: otherId } = await newCompany(app, stranger)
  const theirs = await callAs<Key>(app, stranger, [
    'POST',
    `/v1/orgs/${otherId}/api-keys`,
    { name: 'theirs', type: 'secret' },
  ])
  const { status, error } = await revoke(theirs.data.id)
  expect([status, error?.code]).toEqual([404, 'not_found'])
  expect((await rotate(theirs.data.id, 0)).status).toBe(404)
  expect(await works(theirs.data.key)).toBe(true)
})

test('revoking again changes nothing, and a revoked key is not replaced', async () => {
  const { data } = await mint()
  await revoke(data.id)
  const count = (await events()).length
  expect((await revoke(data.id)).status).toBe(204)
  expect((await events()).length).toBe(count)
  expect((await rotate(data.id, 60)).status).toBe(404)
})

test('a replaced key goes on for its grace and no longer, with the same rights in the new one', async () => {
  const startedAt = Date.now()
  await stopClock(app, startedAt)
  const { data: old } = await mint({ scope: 'read', ip_allowlist: ['127.0.0.0/8'] })
  const { data: fresh } = await rotate(old.id, 3_600)
  expect(fresh).toMatchObject({
    scope: 'read',
    ip_allowlist: ['127.0.0.0/8'],
    name: 'backend',
    expires_at: null,
  })
  expect([await works(old.key), await works(fresh.key, second)]).toEqual([true, true])
  await stopClock(app, startedAt + 3_600_000 - 1)
  expect(await works(old.key, second)).toBe(true)
  await stopClock(app, startedAt + 3_600_000)
  expect([await works(old.key), await works(old.key, second), await works(fresh.key)]).toEqual([
    false,
    false,
    true,
  ])
})

test('without grace the replaced key is over at once, and a grace does not make a key live longer', async () => {
  const { data: old } = await mint()
  const { data: fresh } = await rotate(old.id, 0)
  expect([await works(old.key), await works(fresh.key)]).toEqual([false, true])
  const soon = new Date(Date.now() + 60_000).toISOString()
  const { data: short } = await mint({ expires_at: soon })
  await rotate(short.id, 3_600)
  const { data } = await callAs<{ items: Key[] }>(app, owner, ['GET', path])
  expect(data.items.find(({ id }) => id === short.id)?.expires_at).toBe(soon)
})

test('a key ends at its expiry; one that is past from the start is refused', async () => {
  const startedAt = Date.now()
  await stopClock(app, startedAt)
  const { data } = await mint({ expires_at: new Date(startedAt + 60_000).toISOString() })
  await stopClock(app, startedAt + 59_999)
  expect(await works(data.key)).toBe(true)
  await stopClock(app, startedAt + 60_000)
  expect(await works(data.key)).toBe(false)
  expect(await mint({ expires_at: new Date(startedAt).toISOString() })).toMatchObject({
    status: 400,
    error: { code: 'invalid_request', details: { issues: [{ path: ['expires_at'] }] } },
  })
})

test('an expiry on a day or hour that does not exist is refused, not moved to another one', async () => {
  for (const at of ['2099-02-30T00:00:00.000Z', '2099-13-01T00:00:00.000Z', '2099-01-01T24:00:00.000Z'])
    expect(await mint({ expires_at: at })).toMatchObject({ status: 400, error: { code: 'invalid_request' } })
})

test('an allowlist takes addresses and ranges of both families, and keeps what they mean', async () => {
  const given = ['10.1.2.3/8', '192.0.2.7', '2001:db8::1/32', '::1']
  const { data } = await mint({ ip_allowlist: given })
  expect(data.ip_allowlist).toEqual(['10.0.0.0/8', '192.0.2.7/32', '2001:db8::/32', '::1/128'])
  expect(await app.call('GET', '/v1/s2s/wallets', { sk: data.key })).toMatchObject({
    status: 403,
    error: { code: 'ip_not_allowed' },
  })
  for (const range of [
    '10.0.0.0/33',
    '10.0.0',
    'localhost',
    '',
    '1.2.3.4/',
    '::1/129',
    '1.2.3.4/08',
    '::ffff:1.2.3.4/x',
  ])
    expect((await mint({ ip_allowlist: [range] })).status, range).toBe(400)
  expect((await mint({ type: 'publishable', ip_allowlist: ['10.0.0.0/8'] })).status).toBe(400)
  expect((await mint({ type: 'publishable', scope: 'read' })).status).toBe(400)
})

test('a publishable key opens the wallet lane', async () => {
  const { data } = await mint({ type: 'publishable' })
  expect(data).toMatchObject({ scope: null, hint: `pk_live_…${data.key.slice(-4)}` })
  expect((await app.call('GET', '/v1/chains', { pk: data.key })).status).toBe(200)
})

test('the log says who did what, the owners get an email, and neither holds a key', async () => {
  // A company of its own: owners get so many emails a day about one.
  const { id } = await newCompany(app, owner)
  const at = `/v1/orgs/${id}/api-keys`
  const developer = await newMember(app, id, 'developer')
  const made = await callAs<Key>(app, developer, ['POST', at, { name: 'ci', type: 'secret', scope: 'full' }])
  const replaced = await callAs<Key>(app, developer, ['POST', `${at}/${made.data.id}/rotate`, {}])
  const [revoked, created, first] = await events(id)
  const by = { actor_type: 'portal_user', actor_id: developer.id }
  const right = { type: 'secret', scope: 'full' }
  expect(revoked).toMatchObject({
    ...by,
    event_type: 'api_key.revoked',
    payload: { key_id: made.data.id, replaced_by: replaced.data.id },
  })
  expect(created).toMatchObject({
    ...by,
    event_type: 'api_key.created',
    payload: { ...right, key_id: replaced.data.id, replaces: made.data.id },
  })
  expect(first).toMatchObject({
    ...by,
    event_type: 'api_key.created',
    payload: { ...right, key_id: made.data.id },
  })

  const wanted = ['an API key was minted', 'an API key was revoked', 'an API key was minted']
  const arrived = () =>
    app.mailServer.mails.filter(({ raw }) => raw.replaceAll('=\r\n', '').includes(`By: ${developer.email}`))
  for (let i = 0; i < 300 && arrived().length < wanted.length; i++)
    await new Promise((resolve) => setTimeout(resolve, 10))
  const mails = arrived()
  expect(mails.map(({ to }) => to)).toEqual(wanted.map(() => [owner.email]))
  // Long lines are folded (quoted-printable).
  const texts = mails.map(({ raw }) => raw.replaceAll('=\r\n', '').replaceAll('=22', '"'))
  for (const text of texts) expect(text).toContain(`Company: ${id}, named "Company" by its members`)
  // A key is named by its name and its last characters, as in the portal.
  const said = (key: Key, what: string) =>
    texts.filter((text) => text.includes(`${what}: "ci" (secret, full, ends in ${key.key.slice(-4)}).`))
      .length
  expect([
    said(made.data, 'An API key was minted'),
    said(made.data, 'An API key was revoked'),
    said(replaced.data, 'An API key was minted'),
  ]).toEqual([1, 1, 1])
  const reported = JSON.stringify([mails, await events(id), app.log.lines])
  for (const { data } of [made, replaced]) expect(reported).not.toContain(data.key.slice(8, 40))
})

test('of keys only keyed hashes rest', async () => {
  const { data } = await mint()
  const rows = await app.sql`select * from api_keys where id = ${data.id}`
  expect(JSON.stringify(rows)).not.toContain(data.key.slice(8, -6))
})
