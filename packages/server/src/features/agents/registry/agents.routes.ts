import {
  archiveAgent as archive,
  changeAgent as change,
  createAgent as create,
  getAgent,
  listAgents,
} from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import { failure, mapResult } from '../../../runtime/failure.ts'
import { agentToWire } from './agent.ts'
import { type AgentRow, agentsStore } from './agents.store.ts'
import { type AgentsCtx, archiveAgent, changeAgent, createAgent } from './agents.ts'

/** The agents of an organization; `baseUrl` is the platform's own. */
export function agentsRoutes(ctx: AgentsCtx, baseUrl: string) {
  const wire = (agent: AgentRow) => agentToWire(agent, baseUrl)
  return [
    on(listAgents, async ({ principal, query }) => {
      const { limit, offset } = query
      const scope = { organizationId: principal.organization.id, ...query }
      const { items, total } = await agentsStore.list(ctx.sql, scope)
      return { items: items.map(wire), total, limit, offset }
    }),
    on(create, async ({ principal, body }) => mapResult(await createAgent(ctx, principal, body), wire)),
    on(getAgent, async ({ principal, params }) => {
      const agent = await agentsStore.get(ctx.sql, principal.organization.id, params.agentID)
      return agent === undefined ? failure('not_found') : wire(agent)
    }),
    on(change, async ({ principal, params, body }) =>
      mapResult(await changeAgent(ctx, principal, params.agentID, body), wire),
    ),
    on(archive, ({ principal, params }) => archiveAgent(ctx, principal, params.agentID)),
  ]
}
