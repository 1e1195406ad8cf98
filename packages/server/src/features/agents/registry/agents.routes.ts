import { archiveAgent, changeAgent, createAgent, getAgent, listAgents } from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import type { Agents } from './agents.ts'

/** The agents of a company. */
export const agentsRoutes = (agents: Agents) => [
  on(listAgents, async ({ principal, query }) => {
    const { limit, offset } = query
    return { ...(await agents.list({ organizationId: principal.organization.id, ...query })), limit, offset }
  }),
  on(createAgent, ({ principal, body, fail }) => agents.create(principal, body, fail)),
  on(getAgent, ({ principal, params, fail }) => agents.get(principal.organization.id, params.agentID, fail)),
  on(changeAgent, ({ principal, params, body, fail }) =>
    agents.change(principal, params.agentID, body, fail),
  ),
  on(archiveAgent, async ({ principal, params, fail }) => {
    await agents.archive(principal, params.agentID, fail)
  }),
]
