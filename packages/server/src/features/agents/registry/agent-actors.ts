import type { KeyObject } from 'node:crypto'
import type { Queryable } from '../../../db/pool.ts'
import type { AgentSessionPrincipal, Organization } from '../../../http/principal.ts'
import { ownTokenKey } from '../sessions/own-token-key.ts'
import type { AgentActor } from '../signing/signing-request.ts'
import { type AgentRow, agentsStore } from './agents.store.ts'

/** The context for finding actors; the pepper gives the key of the session that an agent has for its own runs. */
export type ActorsCtx = { sql: Queryable; pepper: KeyObject }

/**
 * A session as it is now, for a run that acts with it and the key that its token gave; the session of an agent's own runs needs none.
 * Undefined where there is no such session, or where its key is missing.
 */
export const sessionActor = (
  ctx: ActorsCtx,
  sessionId: string,
  tokenKey?: Uint8Array,
): Promise<AgentActor | undefined> => actor(ctx, sessionId, { isUsed: true, tokenKey })

/** An active agent, with the session of its own runs as it is now. */
export async function findActor(
  ctx: ActorsCtx,
  agentId: string,
): Promise<(AgentActor & { agent: AgentRow }) | undefined> {
  const agent = await agentsStore.active(ctx.sql, agentId)
  const own = agent && (await actor(ctx, agent.sessionId, { isUsed: false }))
  return own && { agent, ...own }
}

async function actor(
  { sql, pepper }: ActorsCtx,
  sessionId: string,
  { isUsed, tokenKey }: { isUsed: boolean; tokenKey?: Uint8Array | undefined },
): Promise<AgentActor | undefined> {
  const row = await read(sql, sessionId, { isUsed })
  if (row === undefined) return undefined
  const { organization, isImplicit, ...session } = row
  const key = isImplicit ? ownTokenKey(pepper, sessionId) : tokenKey
  return key && { organization, session: { ...session, tokenKey: key } }
}

type Row = Omit<AgentSessionPrincipal, 'tokenKey'> & { isImplicit: boolean; organization: Organization }

/** `isUsed`: a run acts with it, so that the session of an agent's own runs notes it, at most once a minute as authentication does. */
async function read(
  sql: Queryable,
  sessionId: string,
  { isUsed }: { isUsed: boolean },
): Promise<Row | undefined> {
  const rows = await sql<Row[]>`
    with clock as materialized (select app_now() as now),
    -- A row that somebody commits a signature for is left to the next call: no one ever waits for this.
    free as (
      select s.id from agent_sessions s, clock
      where s.id = ${sessionId} and s.is_implicit and ${isUsed} and agent_session_state(s, clock.now) = 'active'
        and (s.last_used_at is null or s.last_used_at < clock.now - interval '1 minute')
      for no key update of s skip locked),
    touched as (
      update agent_sessions s set last_used_at = date_trunc('milliseconds', clock.now) from free, clock where s.id = free.id)
    select s.id, s.agent_id as "agentId", s.wallet_id as "walletId", s.is_implicit as "isImplicit",
      agent_session_state(s, clock.now) as state, (extract(epoch from clock.now) * 1000)::double precision as "nowMs",
      json_build_object('id', o.id, 'signingMode', o.signing_mode, 'supportedNetworks', o.supported_networks,
        'authMode', o.auth_mode, 'oidcIssuer', o.oidc_issuer, 'oidcAudience', o.oidc_audience,
        'allowedOrigins', o.allowed_origins, 'receipts', o.receipts, 'authChangedAtMs', case when o.auth_changed_at = '-infinity' then 0
          else extract(epoch from o.auth_changed_at) * 1000 end::double precision) as organization
    from clock, agent_sessions s join organizations o on o.id = s.organization_id where s.id = ${sessionId}`
  return rows[0]
}
