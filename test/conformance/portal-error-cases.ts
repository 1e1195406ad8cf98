import { createHash, randomUUID } from 'node:crypto'
import { type ErrorCode, putWebhook, type Route } from '@symbolon/api'
import { idempotencyScope, idempotencyStore } from '@symbolon/server/testing/http'
import type { Answer, CallOptions } from '@symbolon/testing/app'
import { callAs, fromPortal, type PortalUser, portalUser } from '@symbolon/testing/app'
import { loseAnswer } from './call-route.ts'
import type { Provoke } from './error-cases.ts'
import { bodyOf, type Fixture, pathOf } from './fixture.ts'

/** Another session of the fixture's owner, for a call that may end it. */
const newSession = ({ app, portal }: Fixture): Promise<PortalUser> => portalUser(app, portal.owner.email)

/** Calls a route of the portal as its page does, but for the changes. */
async function call(
  fixture: Fixture,
  route: Route,
  options: CallOptions & { as?: PortalUser; at?: string; process?: Fixture['app'] } = {},
): Promise<Answer> {
  const { as, at, process = fixture.app, ...rest } = options
  const json = bodyOf(route, fixture)
  const hasBody = 'json' in rest || 'body' in rest
  const user = as ?? (await newSession(fixture))
  return callAs(process, user, [route.method, at ?? pathOf(fixture, route), hasBody ? undefined : json], rest)
}

/** An idempotency key that is in use by a request with this body, in a session. */
async function taken(fixture: Fixture, route: Route, body: string) {
  const user = await newSession(fixture)
  const rows = await fixture.app.sql<{ id: string }[]>`
    select id from portal_sessions where user_id = ${user.id} order by id desc limit 1`
  const key = randomUUID()
  const use = { scope: idempotencyScope(rows[0]?.id ?? '', 'POST', pathOf(fixture, route)), key }
  const hash = createHash('sha256').update(body).digest()
  await idempotencyStore.take(fixture.app.sql, use, hash, {
    attemptId: randomUUID(),
    processId: randomUUID(),
  })
  return { user, key }
}

/** Calls a route that answers a credential twice with one idempotency key. */
async function spend(fixture: Fixture, route: Route): Promise<Answer> {
  const as = await newSession(fixture)
  const json = bodyOf(route, fixture)
  const options = { as, ...(json && { json }), headers: { 'idempotency-key': randomUUID() } }
  const first = await call(fixture, route, options)
  return first.status < 300 ? call(fixture, route, options) : first
}

/** A call of somebody whose rate is used up. */
const usedUp: Provoke = async (fixture, route) => {
  const { app, portal } = fixture
  await app.sql`insert into rate_limits (key, tat, seen_at, period_seconds, burst, granted)
    values (${`${route.limit}:${portal.owner.id}`}, extract(epoch from app_now()) + 10000, extract(epoch from app_now()), 1, 1, 0)
    on conflict (key) do update set tat = excluded.tat`
  try {
    return await call(fixture, route)
  } finally {
    await app.sql`delete from rate_limits`
  }
}

/** What any route of the portal's lane is provoked by. */
export const portalShared: Partial<Record<ErrorCode, Provoke>> = {
  unauthorized: (fixture, route) => call(fixture, route, { headers: { cookie: '' } }),
  forbidden: (fixture, route) => call(fixture, route, { as: fixture.portal.viewer }),
  // Somebody else's organization.
  not_found: (fixture, route) =>
    call(fixture, route, { at: pathOf(fixture, route, { tenant: fixture.client }) }),
  origin_not_allowed: (fixture, route) =>
    call(fixture, route, { headers: { origin: 'https://elsewhere.example.test' } }),
  unavailable: (fixture, route) => call(fixture, route, { process: fixture.cutOff }),
  internal: (fixture, route) => call(fixture, route, { process: fixture.faulty }),
  invalid_request: (fixture, route) => {
    if (route.method === 'GET') return call(fixture, route, { at: `${pathOf(fixture, route)}?unknown=1` })
    return call(fixture, route, { json: { ...bodyOf(route, fixture), unknown: 1 } })
  },
  unsupported_media_type: (fixture, route) =>
    call(fixture, route, { body: 'text', headers: { 'content-type': 'text/plain' } }),
  payload_too_large: (fixture, route) => call(fixture, route, { body: `"${'x'.repeat(256 * 1024)}"` }),
  idempotency_key_in_flight: async (fixture, route) => {
    const body = JSON.stringify(bodyOf(route, fixture) ?? {})
    const { user, key } = await taken(fixture, route, body)
    return call(fixture, route, { as: user, body, headers: { 'idempotency-key': key } })
  },
  idempotency_key_reused: async (fixture, route) => {
    const body = JSON.stringify(bodyOf(route, fixture) ?? {})
    const { user, key } = await taken(fixture, route, `${body} `)
    return call(fixture, route, { as: user, body, headers: { 'idempotency-key': key } })
  },
  idempotency_key_spent: async (fixture, route) => {
    if (route.bearsCredential === true) return spend(fixture, route)
    const body = JSON.stringify(bodyOf(route, fixture) ?? {})
    const { user, key } = await taken(fixture, route, body)
    await loseAnswer(fixture, key)
    return call(fixture, route, { as: user, body, headers: { 'idempotency-key': key } })
  },
  rate_limited: usedUp,
  wallet_not_found: (fixture, route) =>
    call(fixture, route, { at: pathOf(fixture, route, { walletId: randomUUID() }) }),
}

const ownersOwn = (fixture: Fixture, route: Route) =>
  pathOf(fixture, route, { memberId: fixture.portal.owner.memberId })

/** The error cases of single routes of the portal, which come first. */
export const portalErrorCases: Record<string, Partial<Record<ErrorCode, Provoke>>> = {
  'portal.beginLogin': {
    rate_limited: async ({ app }, { path }) => {
      const calls = Array.from({ length: 70 }, () => app.call('GET', path))
      const answers = await Promise.all(calls)
      return answers.find(({ status }) => status === 429) ?? app.call('GET', path)
    },
  },
  'portal.finishLogin': {
    invalid_request: ({ app }, { path }) => app.call('GET', `${path}?code=one&code=two`),
  },
  'orgs.create': {
    slug_taken: async (fixture, route) => {
      const json = bodyOf(route, fixture)
      await call(fixture, route, { json })
      return call(fixture, route, { json })
    },
    rate_limited: async (fixture, route) => {
      const { app, portal } = fixture
      const made = (times: string) =>
        app.sql.unsafe(`update portal_users set companies_made_at = ${times} where id = '${portal.owner.id}'`)
      await made('array_fill(app_now(), array[50])')
      try {
        return await call(fixture, route)
      } finally {
        await made(`'{}'`)
      }
    },
  },
  'orgs.updateSigningMode': { organization_has_wallets: (fixture, route) => call(fixture, route) },
  'webhook.rotateSecret': {
    idempotency_key_spent: async (fixture, route) => {
      await call(fixture, putWebhook)
      return spend(fixture, route)
    },
  },
  'members.change': {
    last_owner: (fixture, route) => call(fixture, route, { at: ownersOwn(fixture, route) }),
  },
  'members.remove': {
    last_owner: (fixture, route) => call(fixture, route, { at: ownersOwn(fixture, route) }),
    forbidden: (fixture, route) =>
      call(fixture, route, { at: ownersOwn(fixture, route), as: fixture.portal.viewer }),
  },
}

/** The credentials of the portal's lane: a session of its own, since some calls end it. */
export const portalCredentials = async (fixture: Fixture): Promise<CallOptions> => ({
  headers: fromPortal(await newSession(fixture)),
})
