import {
  callAs,
  forgetRates,
  newCompany,
  portalUser,
  startClock,
  startTestApp,
  stopClock,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

type Key = { id: string; type: string; revoked_at: string | null }

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

/** Keys that are there already. */
const seedKeys = (
  organizationId: string,
  type: string,
  count: number,
  revokedAt: string | null = null,
) => app.sql`
  insert into api_keys (id, organization_id, name, type, scope, hash, last4, revoked_at)
  select gen_random_uuid(), ${organizationId}, 'seeded', ${type}, case when ${type} = 'secret' then 'full' end,
    sha256(gen_random_uuid()::text::bytea), 'abcd', ${revokedAt} from generate_series(1, ${count})`

test('of parallel requests in two processes, as many get a key as leave 100 of the type that work', async () => {
  const owner = await portalUser(app)
  const { id } = await newCompany(app, owner)
  const at = `/v1/orgs/${id}/api-keys`
  await seedKeys(id, 'secret', 98)
  await seedKeys(id, 'secret', 200, '2026-01-01T00:00:00Z')
  const mint = (process: TestApp, type = 'secret') =>
    callAs<Key>(process, owner, ['POST', at, { name: 'k', type }])
  const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => mint(i % 2 === 0 ? app : second)))
  expect(answers.map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: 2 }, () => 201),
    ...Array.from({ length: 4 }, () => 403),
  ])
  expect(answers.find(({ status }) => status === 403)?.error).toMatchObject({
    code: 'forbidden',
    message: 'The company has 100 secret keys that work, which is the most. Revoke one first.',
  })
  // The other type has room of its own; a rotation needs room only for a grace.
  expect((await mint(app, 'publishable')).status).toBe(201)
  const made = answers.find(({ status }) => status === 201)?.data
  const rotate = (grace: number) =>
    callAs<Key>(app, owner, ['POST', `${at}/${made?.id}/rotate`, { grace_seconds: grace }])
  expect((await rotate(60)).status).toBe(403)
  const rotated = await rotate(0)
  expect(rotated.status).toBe(201)
  expect((await mint(app)).status).toBe(403)
  expect((await callAs(app, owner, ['DELETE', `${at}/${rotated.data.id}`])).status).toBe(204)
  expect((await mint(app)).status).toBe(201)

  const list = (await callAs<{ items: Key[] }>(app, owner, ['GET', at])).data.items
  expect(list.filter(({ revoked_at }) => revoked_at === null)).toHaveLength(101)
  expect(list.filter(({ revoked_at }) => revoked_at !== null)).toHaveLength(100)
})

test('companies that the person has opened come first in their list, which has 200 at most', async () => {
  const [stranger, person] = [await portalUser(app), await portalUser(app)]
  const { id: named } = await newCompany(app, stranger)
  await callAs(app, stranger, ['POST', `/v1/orgs/${named}/members`, { email: person.email, role: 'owner' }])
  const { id: own } = await newCompany(app, person)
  const list = async () =>
    (await callAs<{ items: { id: string }[] }>(app, person, ['GET', '/v1/orgs'])).data.items.map(
      ({ id }) => id,
    )
  expect(await list()).toEqual([own, named])
  await app.sql`
    with made as (
      insert into organizations (id, name, slug, country, signing_mode, supported_networks, allowed_origins, high_risk_delay_seconds, created_at)
      select gen_random_uuid(), 'Named', 'named-' || n, 'DE', 'tee', array['evm'], '{}', 0, '2020-01-01' from generate_series(1, 250) n
      returning id)
    insert into organization_members (id, organization_id, user_id, role) select gen_random_uuid(), id, ${person.id}, 'owner' from made`
  const long = await list()
  expect(long).toHaveLength(200)
  expect(long[0]).toBe(own)
})

test.each(['/v1/orgs', 'api-keys'])(
  'the list %s has a rate per person, over all sessions and processes',
  async (path) => {
    await forgetRates(app)
    const person = await portalUser(app)
    const { id } = await newCompany(app, person)
    const again = await portalUser(app, person.email)
    const at = path === '/v1/orgs' ? path : `/v1/orgs/${id}/${path}`
    const get = (i: number) => callAs(i % 2 === 0 ? app : second, i % 3 === 0 ? again : person, ['GET', at])
    await stopClock(app, Date.now())
    const statuses = new Map<number, number>()
    for (let i = 0; i < 320; i += 32) {
      const answers = await Promise.all(Array.from({ length: 32 }, (_, at) => get(i + at)))
      for (const { status, headers } of answers) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status === 429) expect(headers.get('retry-after')).toMatch(/^\d+$/)
      }
    }
    await startClock(app)
    expect(Object.fromEntries(statuses)).toEqual({ 200: 300, 429: 20 })
    expect((await callAs(app, await portalUser(app), ['GET', '/v1/orgs'])).status).toBe(200)
  },
)
