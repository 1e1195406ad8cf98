import { createHash, randomUUID } from 'node:crypto'
import { type ErrorCode, putWebhook, type Route } from '@symbolon/api'
import type { Answer, CallOptions } from '@symbolon/testing/app'
import { callAs, fromPortal, type PortalUser, portalUser } from '@symbolon/testing/app'
import { idempotencyStore } from '../../packages/server/src/http/idempotency.store.ts'
import { idempotencyScope } from '../../packages/server/src/http/idempotency.ts'
import type { Provoke } from './provocations.ts'
import { bodyOf, pathOf, type World } from './world.ts'

/** Another session of the world's owner, for a call that may end it. */
const newSession = ({ app, portal }: World): Promise<PortalUser> => portalUser(app, portal.owner.email)

/** Calls a route of the portal as its page does, but for the changes. */
async function call(
  world: World,
  route: Route,
  options: CallOptions & { as?: PortalUser; at?: string; process?: World['app'] } = {},
): Promise<Answer> {
  const { as, at, process = world.app, ...rest } = options
  const json = bodyOf(route, world)
  const hasBody = 'json' in rest || 'body' in rest
  const user = as ?? (await newSession(world))
  return callAs(process, user, [route.method, at ?? pathOf(world, route), hasBody ? undefined : json], rest)
}

/** An idempotency key that is in use by a request with this body, in a session. */
async function taken(world: World, route: Route, body: string) {
  const user = await newSession(world)
  const rows = await world.app.sql<{ id: string }[]>`
    select id from portal_sessions where user_id = ${user.id} order by id desc limit 1`
  const key = randomUUID()
  const use = { scope: idempotencyScope(rows[0]?.id ?? '', 'POST', pathOf(world, route)), key }
  const hash = createHash('sha256').update(body).digest()
  await idempotencyStore.take(world.app.sql, use, hash, { attemptId: randomUUID(), processId: randomUUID() })
  return { user, key }
}

/** Calls a route that answers a credential twice with one idempotency key. */
async function spend(world: World, route: Route): Promise<Answer> {
  const as = await newSession(world)
  const json = bodyOf(route, world)
  const options = { as, ...(json && { json }), headers: { 'idempotency-key': randomUUID() } }
  const first = await call(world, route, options)
  return first.status < 300 ? call(world, route, options) : first
}

/** What any route of the portal's lane is provoked by. */
export const portalShared: Partial<Record<ErrorCode, Provoke>> = {
  unauthorized: (world, route) => call(world, route, { headers: { cookie: '' } }),
  forbidden: (world, route) => call(world, route, { as: world.portal.viewer }),
  // Somebody else's organization.
  not_found: (world, route) => call(world, route, { at: pathOf(world, route, { tenant: world.client }) }),
  origin_not_allowed: (world, route) =>
    call(world, route, { headers: { origin: 'https://elsewhere.example.test' } }),
  unavailable: (world, route) => call(world, route, { process: world.cutOff }),
  internal: (world, route) => call(world, route, { process: world.faulty }),
  invalid_request: (world, route) => {
    if (route.method === 'GET') return call(world, route, { at: `${pathOf(world, route)}?unknown=1` })
    return call(world, route, { json: { ...bodyOf(route, world), unknown: 1 } })
  },
  unsupported_media_type: (world, route) =>
    call(world, route, { body: 'text', headers: { 'content-type': 'text/plain' } }),
  payload_too_large: (world, route) => call(world, route, { body: `"${'x'.repeat(256 * 1024)}"` }),
  idempotency_key_in_flight: async (world, route) => {
    const body = JSON.stringify(bodyOf(route, world) ?? {})
    const { user, key } = await taken(world, route, body)
    return call(world, route, { as: user, body, headers: { 'idempotency-key': key } })
  },
  idempotency_key_reused: async (world, route) => {
    const body = JSON.stringify(bodyOf(route, world) ?? {})
    const { user, key } = await taken(world, route, `${body} `)
    return call(world, route, { as: user, body, headers: { 'idempotency-key': key } })
  },
  idempotency_key_spent: (world, route) => spend(world, route),
  wallet_not_found: (world, route) =>
    call(world, route, { at: pathOf(world, route, { walletId: randomUUID() }) }),
}

const ownersOwn = (world: World, route: Route) =>
  pathOf(world, route, { memberId: world.portal.owner.memberId })

/** What single routes of the portal are provoked by, first asked. */
export const portalProvocations: Record<string, Partial<Record<ErrorCode, Provoke>>> = {
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
    slug_taken: async (world, route) => {
      const json = bodyOf(route, world)
      await call(world, route, { json })
      return call(world, route, { json })
    },
  },
  'orgs.updateSigningMode': { organization_has_wallets: (world, route) => call(world, route) },
  'members.add': {
    rate_limited: async (world, route) => {
      const { app, portal } = world
      await app.sql`insert into rate_limits (key, tat, seen_at, period_seconds, burst, granted)
        values (${`invitation:${portal.owner.id}`}, extract(epoch from app_now()) + 10000, extract(epoch from app_now()), 1, 1, 0)`
      try {
        return await call(world, route)
      } finally {
        await app.sql`delete from rate_limits`
      }
    },
  },
  'webhook.rotateSecret': {
    idempotency_key_spent: async (world, route) => {
      await call(world, putWebhook)
      return spend(world, route)
    },
  },
  'members.change': { last_owner: (world, route) => call(world, route, { at: ownersOwn(world, route) }) },
  'members.remove': {
    last_owner: (world, route) => call(world, route, { at: ownersOwn(world, route) }),
    forbidden: (world, route) => call(world, route, { at: ownersOwn(world, route), as: world.portal.viewer }),
  },
}

/** The credentials of the portal's lane: a session of its own, since some calls end it. */
export const portalCredentials = async (world: World): Promise<CallOptions> => ({
  headers: fromPortal(await newSession(world)),
})
