import { randomUUID } from 'node:crypto'
import type { AgentHook, Route } from '@symbolon/api'
import type { Answer } from '@symbolon/testing/app'
import { callAs, portalUser } from '@symbolon/testing/app'
import { signedHeaders } from '../../packages/server/src/features/webhooks/signed-headers.ts'
import { callRoute, fillBucket, type Provocations, type Provoke } from './call-route.ts'
import { bodyOf, pathOf, type World } from './world.ts'

/** Calls with the agent of the path archived. */
const ofArchived: Provoke = (world, route) => {
  const path = pathOf(world, route).replace(world.agents.agent.id, world.agents.archivedAgentId)
  return callAs(world.app, world.portal.owner, [route.method, path, bodyOf(route, world)])
}

/** Makes a hook of the world's agent. */
async function newHook({ app, tenant, agents, portal }: World): Promise<AgentHook & { secret: string }> {
  const path = `/v1/orgs/${tenant.id}/agents/${agents.agent.id}/hooks`
  const body = { name: 'Invoices', objective_template: 'policy' }
  return (await callAs<AgentHook & { secret: string }>(app, portal.owner, ['POST', path, body])).data
}

/** Calls the route of a hook that is there, unsigned, or signed with nothing left of its rate. */
async function ofHook(world: World, route: Route, { isExhausted = false } = {}): Promise<Answer> {
  const { id, secret } = await newHook(world)
  const body = Buffer.from('{}')
  if (isExhausted) await fillBucket(world, `agent-hook:${id}`)
  const message = { id: `msg_${randomUUID()}`, timeMs: Date.now(), body }
  const headers = signedHeaders(message, { secrets: [secret], sign: () => new Uint8Array(64) })
  const path = route.path.replace('{hookID}', id)
  return world.app.call(route.method, path, isExhausted ? { body, headers } : { body })
}

/** What single routes of runs and hooks are provoked by. */
export const agentWorkProvocations: Record<string, Provocations> = {
  'agentRuns.start': { agent_archived: ofArchived },
  'agentHooks.create': { agent_archived: ofArchived },
  'agentHooks.rotateSecret': {
    agent_archived: ofArchived,
    idempotency_key_spent: async (world, route) => {
      const hook = await newHook(world)
      const { app, tenant, agents, portal } = world
      const path = `/v1/orgs/${tenant.id}/agents/${agents.agent.id}/hooks/${hook.id}/rotate-secret`
      const user = await portalUser(app, portal.owner.email)
      const options = { headers: { 'idempotency-key': randomUUID() } }
      await callAs(app, user, [route.method, path], options)
      return callAs(app, user, [route.method, path], options)
    },
  },
  'agentHooks.deliver': {
    unauthorized: (world, route) => ofHook(world, route),
    not_found: (world, route) => callRoute(world, route),
    rate_limited: (world, route) => ofHook(world, route, { isExhausted: true }),
  },
}
