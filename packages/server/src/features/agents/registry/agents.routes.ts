import { archiveAgent, changeAgent, createAgent, getAgent, listAgents } from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import type { Agents } from './agents.ts'

/** The agents of a company. */
export const agentsRoutes = (agents: Agents) => [
  on(listAgents, async ({ caller, query }) => {
    const { limit, offset } = query
    return { ...(await agents.list({ organizationId: caller.organization.id, ...query })), limit, offset }
  }),
  on(createAgent, ({ caller, body, fail }) => agents.create(caller, body, fail)),
  on(getAgent, ({ caller, params, fail }) => agents.get(caller.organization.id, params.agentID, fail)),
  on(changeAgent, ({ caller, params, body, fail }) => agents.change(caller, params.agentID, body, fail)),
  on(archiveAgent, async ({ caller, params, fail }) => {
    await agents.archive(caller, params.agentID, fail)
  }),
]
