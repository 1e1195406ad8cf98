import { randomUUID } from 'node:crypto'
import type { AgentHook, Route } from '@symbolon/api'
import { signedHeaders } from '@symbolon/server/testing/webhooks'
import { makeAgent } from '@symbolon/testing/agents'
import type { Answer } from '@symbolon/testing/app'
import { callAs, makeWalletFor, portalUser } from '@symbolon/testing/app'
import { callRoute, type ErrorCases, fillBucket, type Provoke } from './call-route.ts'
import { bodyOf, type Fixture, pathOf } from './fixture.ts'

type SecretHook = AgentHook & { secret: string }

/** Calls with the agent of the path archived. */
const ofArchived: Provoke = (fixture, route) => {
  const path = pathOf(fixture, route).replace(fixture.agents.agent.id, fixture.agents.archivedAgentId)
  return callAs(fixture.app, fixture.portal.owner, [route.method, path, bodyOf(route, fixture)])
}

/** Makes a hook of the fixture's agent. */
async function newHook({ app, tenant, agents, portal }: Fixture): Promise<SecretHook> {
  const path = `/v1/orgs/${tenant.id}/agents/${agents.agent.id}/hooks`
  const body = { name: 'Invoices', objective_template: 'policy' }
  return (await callAs<SecretHook>(app, portal.owner, ['POST', path, body])).data
}

/** Calls the route of a hook that is there, unsigned, or signed with nothing left of its rate. */
async function ofHook(fixture: Fixture, route: Route, { isExhausted = false } = {}): Promise<Answer> {
  const hook = await newHook(fixture)
  const path = route.path.replace('{hookID}', hook.id)
  if (!isExhausted) return fixture.app.call(route.method, path, { body: '{}' })
  await fillBucket(fixture, `agent-hook:${hook.id}`)
  return deliverTo(fixture, route, hook)
}

function deliverTo({ app }: Fixture, route: Route, { id, secret }: SecretHook): Promise<Answer> {
  const body = Buffer.from('{}')
  const message = { id: `msg_${randomUUID()}`, timeMs: Date.now(), body }
  const headers = signedHeaders(message, { secrets: [secret], sign: () => new Uint8Array(64) })
  return app.call(route.method, route.path.replace('{hookID}', id), { body, headers })
}

/** Delivers to a hook of an agent whose template makes any objective of its hooks too long. */
async function ofLongTemplate(fixture: Fixture, route: Route): Promise<Answer> {
  const { app, tenant, portal } = fixture
  const where = {
    member: portal.owner,
    organizationId: tenant.id,
    walletId: (await makeWalletFor(app, tenant)).id,
  }
  const agent = await makeAgent(app, where, { objective_template: '{{objective}}'.repeat(630) })
  const template = { objective_template: 'policy '.repeat(20) }
  const path = `/v1/orgs/${tenant.id}/agents/${agent.id}/hooks`
  const made = await callAs<SecretHook>(app, portal.owner, ['POST', path, { name: 'Invoices', ...template }])
  return deliverTo(fixture, route, made.data)
}

/** The error cases of single routes of runs and hooks. */
export const agentWorkErrorCases: Record<string, ErrorCases> = {
  'agentRuns.start': { agent_archived: ofArchived },
  'agentHooks.create': { agent_archived: ofArchived },
  'agentHooks.rotateSecret': {
    agent_archived: ofArchived,
    idempotency_key_spent: async (fixture, route) => {
      const hook = await newHook(fixture)
      const { app, tenant, agents, portal } = fixture
      const path = `/v1/orgs/${tenant.id}/agents/${agents.agent.id}/hooks/${hook.id}/rotate-secret`
      const user = await portalUser(app, portal.owner.email)
      const options = { headers: { 'idempotency-key': randomUUID() } }
      await callAs(app, user, [route.method, path], options)
      return callAs(app, user, [route.method, path], options)
    },
  },
  'agentHooks.deliver': {
    invalid_request: ofLongTemplate,
    unauthorized: (fixture, route) => ofHook(fixture, route),
    not_found: (fixture, route) => callRoute(fixture, route),
    rate_limited: (fixture, route) => ofHook(fixture, route, { isExhausted: true }),
  },
}
