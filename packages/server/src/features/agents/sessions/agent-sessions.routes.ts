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
  on(mintAgentSession, ({ principal, body, fail }) => sessions.mint(principal, body, fail)),
  on(listAgentSessions, async ({ principal, query, fail }) => ({
    ...(await sessions.list(wanted(principal.organization.id, query), fail)),
    limit: query.limit,
    offset: query.offset,
  })),
  on(getAgentSession, ({ principal, params, fail }) =>
    sessions.get(principal.organization.id, params.id, fail),
  ),
  on(listOrgAgentSessions, async ({ principal, query, fail }) => ({
    ...(await sessions.list(wanted(principal.organization.id, query), fail)),
    limit: query.limit,
    offset: query.offset,
  })),
  on(getOrgAgentSession, ({ principal, params, fail }) =>
    sessions.get(principal.organization.id, params.sessionID, fail),
  ),
  on(revokeAgentSession, ({ principal, params, fail }) => {
    const actor =
      principal.key === undefined
        ? ({ type: 'portal_user', id: principal.user.id } as const)
        : ({ type: 'api_key', id: principal.key.id } as const)
    return sessions.revoke(principal.organization.id, params.sessionID, actor, fail)
  }),
  on(getMyAgentSession, ({ principal, fail }) => sessions.mine(principal, fail)),
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
