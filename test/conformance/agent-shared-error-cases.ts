import { createHash, randomUUID } from 'node:crypto'
import type { Route } from '@symbolon/api'
import { idempotencyScope, idempotencyStore } from '@symbolon/server/testing/http'
import { callRoute, type ErrorCases, fillBucket, loseAnswer } from './call-route.ts'
import { shared } from './error-cases.ts'
import { bodyOf, type Fixture, pathOf } from './fixture.ts'
import { portalShared } from './portal-error-cases.ts'

/** An idempotency key that is in use by a request of the fixture's session with this body. */
async function taken(fixture: Fixture, route: Route, body: string): Promise<string> {
  const key = randomUUID()
  const use = { scope: idempotencyScope(fixture.agents.session.id, 'POST', pathOf(fixture, route)), key }
  const hash = createHash('sha256').update(body).digest()
  await idempotencyStore.take(fixture.app.sql, use, hash, {
    attemptId: randomUUID(),
    processId: randomUUID(),
  })
  return key
}

/** What any route is provoked by that an agent's token opens. */
const agentShared: ErrorCases = {
  ...shared,
  token_expired: (fixture, route) => callRoute(fixture, route, { token: fixture.agents.expiredToken }),
  token_revoked: (fixture, route) => callRoute(fixture, route, { token: fixture.agents.revokedToken }),
  rate_limited: async (fixture, route) => {
    await fillBucket(fixture, `agent:${fixture.agents.session.id}`)
    try {
      return await callRoute(fixture, route)
    } finally {
      await fixture.app.sql`delete from rate_limits`
    }
  },
  idempotency_key_in_flight: async (fixture, route) => {
    const body = JSON.stringify(bodyOf(route, fixture) ?? {})
    const key = await taken(fixture, route, body)
    return callRoute(fixture, route, { body, headers: { 'idempotency-key': key } })
  },
  idempotency_key_spent: async (fixture, route) => {
    const body = JSON.stringify(bodyOf(route, fixture) ?? {})
    const key = await taken(fixture, route, body)
    await loseAnswer(fixture, key)
    return callRoute(fixture, route, { body, headers: { 'idempotency-key': key } })
  },
  idempotency_key_reused: async (fixture, route) => {
    const body = JSON.stringify(bodyOf(route, fixture) ?? {})
    const key = await taken(fixture, route, `${body} `)
    return callRoute(fixture, route, { body, headers: { 'idempotency-key': key } })
  },
}

/** What any route of a lane is provoked by. */
export function laneErrorCases({ lane }: Route): ErrorCases {
  switch (lane) {
    case 'portal':
      return portalShared
    case 'portal_or_secret': {
      const { forbidden, origin_not_allowed } = portalShared as Required<ErrorCases>
      return { ...shared, forbidden, origin_not_allowed }
    }
    case 'secret_or_agent': {
      const { token_expired, token_revoked } = agentShared as Required<ErrorCases>
      return { ...shared, token_expired, token_revoked }
    }
    case 'agent':
    case 'agent_or_delegate':
      return agentShared
    default:
      return shared
  }
}
