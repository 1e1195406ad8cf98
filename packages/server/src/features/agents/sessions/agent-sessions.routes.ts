import {
  getAgentSession as get,
  getMyAgentSession,
  getOrgAgentSession,
  type ListAgentSessions,
  listAgentSessions as list,
  listOrgAgentSessions,
  mintAgentSession as mint,
  revokeAgentSession as revoke,
} from '@symbolon/api'
import type * as z from 'zod'
import { on } from '../../../http/handler.ts'
import { mapResult } from '../../../runtime/failure.ts'
import {
  type AgentSessionsCtx,
  getAgentSession,
  getOwnAgentSession,
  listAgentSessions,
  mintAgentSession,
  revokeAgentSession,
} from './agent-sessions.ts'

/** The routes of agent sessions, for backends, for the portal and for the agents themselves. */
export function agentSessionsRoutes(ctx: AgentSessionsCtx) {
  const page = async (organizationId: string, query: z.output<typeof ListAgentSessions>) => {
    const { agent_id, wallet_id, ...rest } = query
    const outcome = await listAgentSessions(ctx, {
      organizationId,
      ...rest,
      ...(agent_id !== undefined && { agentId: agent_id }),
      ...(wallet_id !== undefined && { walletId: wallet_id }),
    })
    return mapResult(outcome, (found) => ({ ...found, limit: query.limit, offset: query.offset }))
  }
  return [
    on(mint, ({ principal, body }) => mintAgentSession(ctx, principal, body)),
    on(list, ({ principal, query }) => page(principal.organization.id, query)),
    on(get, ({ principal, params }) => getAgentSession(ctx, principal.organization.id, params.id)),
    on(listOrgAgentSessions, ({ principal, query }) => page(principal.organization.id, query)),
    on(getOrgAgentSession, ({ principal, params }) =>
      getAgentSession(ctx, principal.organization.id, params.sessionID),
    ),
    on(revoke, ({ principal, params }) => {
      const revoker =
        principal.key === undefined
          ? ({ type: 'portal_user', id: principal.user.id } as const)
          : ({ type: 'api_key', id: principal.key.id } as const)
      return revokeAgentSession(ctx, principal.organization.id, params.sessionID, revoker)
    }),
    on(getMyAgentSession, ({ principal }) => getOwnAgentSession(ctx, principal)),
  ]
}
