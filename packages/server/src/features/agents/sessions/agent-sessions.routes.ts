import {
  getAgentSession,
  getMyAgentSession,
  getOrgAgentSession,
  type ListAgentSessions,
  listAgentSessions,
  listOrgAgentSessions,
  mintAgentSession,
  revokeAgentSession,
} from '@symbolon/api'
import type * as z from 'zod'
import { on } from '../../../http/handler.ts'
import type { AgentSessions } from './agent-sessions.ts'

/** The routes of agent sessions, for backends, for the portal and for the agents themselves. */
export const agentSessionsRoutes = (sessions: AgentSessions) => [
  on(mintAgentSession, ({ caller, body, fail }) => sessions.mint(caller, body, fail)),
  on(listAgentSessions, async ({ caller, query, fail }) => ({
    ...(await sessions.list(wanted(caller.organization.id, query), fail)),
    limit: query.limit,
    offset: query.offset,
  })),
  on(getAgentSession, ({ caller, params, fail }) => sessions.get(caller.organization.id, params.id, fail)),
  on(listOrgAgentSessions, async ({ caller, query, fail }) => ({
    ...(await sessions.list(wanted(caller.organization.id, query), fail)),
    limit: query.limit,
    offset: query.offset,
  })),
  on(getOrgAgentSession, ({ caller, params, fail }) =>
    sessions.get(caller.organization.id, params.sessionID, fail),
  ),
  on(revokeAgentSession, ({ caller, params, fail }) => {
    const actor =
      caller.key === undefined
        ? ({ type: 'portal_user', id: caller.user.id } as const)
        : ({ type: 'api_key', id: caller.key.id } as const)
    return sessions.revoke(caller.organization.id, params.sessionID, actor, fail)
  }),
  on(getMyAgentSession, ({ caller, fail }) => sessions.mine(caller, fail)),
]

const wanted = (
  organizationId: string,
  { agent_id, wallet_id, ...rest }: z.output<typeof ListAgentSessions>,
) => ({
  organizationId,
  ...rest,
  ...(agent_id !== undefined && { agentId: agent_id }),
  ...(wallet_id !== undefined && { walletId: wallet_id }),
})
