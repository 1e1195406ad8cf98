import { createHash, randomUUID } from 'node:crypto'
import type { Route } from '@symbolon/api'
import { idempotencyStore } from '../../packages/server/src/http/idempotency.store.ts'
import { idempotencyScope } from '../../packages/server/src/http/idempotency.ts'
import { callRoute, fillBucket, type Provocations } from './call-route.ts'
import { portalShared } from './portal-provocations.ts'
import { shared } from './provocations.ts'
import { bodyOf, pathOf, type World } from './world.ts'

/** An idempotency key that is in use by a request of the world's session with this body. */
async function taken(world: World, route: Route, body: string): Promise<string> {
  const key = randomUUID()
  const use = { scope: idempotencyScope(world.agents.session.id, 'POST', pathOf(world, route)), key }
  const hash = createHash('sha256').update(body).digest()
  await idempotencyStore.take(world.app.sql, use, hash, { attemptId: randomUUID(), processId: randomUUID() })
  return key
}

/** What any route is provoked by that an agent's token opens. */
const agentShared: Provocations = {
  ...shared,
  token_expired: (world, route) => callRoute(world, route, { token: world.agents.expiredToken }),
  token_revoked: (world, route) => callRoute(world, route, { token: world.agents.revokedToken }),
  rate_limited: async (world, route) => {
    await fillBucket(world, `agent:${world.agents.session.id}`)
    try {
      return await callRoute(world, route)
    } finally {
      await world.app.sql`delete from rate_limits`
    }
  },
  idempotency_key_in_flight: async (world, route) => {
    const body = JSON.stringify(bodyOf(route, world) ?? {})
    const key = await taken(world, route, body)
    return callRoute(world, route, { body, headers: { 'idempotency-key': key } })
  },
  idempotency_key_reused: async (world, route) => {
    const body = JSON.stringify(bodyOf(route, world) ?? {})
    const key = await taken(world, route, `${body} `)
    return callRoute(world, route, { body, headers: { 'idempotency-key': key } })
  },
}

/** What any route of a lane is provoked by. */
export function laneProvocations({ lane }: Route): Provocations {
  switch (lane) {
    case 'portal':
      return portalShared
    case 'portal_or_secret': {
      const { forbidden, origin_not_allowed } = portalShared as Required<Provocations>
      return { ...shared, forbidden, origin_not_allowed }
    }
    case 'secret_or_agent': {
      const { token_expired, token_revoked } = agentShared as Required<Provocations>
      return { ...shared, token_expired, token_revoked }
    }
    case 'agent':
    case 'agent_or_delegate':
      return agentShared
    default:
      return shared
  }
}
