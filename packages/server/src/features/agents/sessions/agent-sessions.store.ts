import type { AgentSession } from '@symbolon/api'
import type { Queryable } from '../../../db/pool.ts'
import type { AgentSessionRow, LayerChanges } from './agent-session.ts'

/** The filters of a list of sessions. */
export type AgentSessionQuery = {
  organizationId: string
  limit: number
  offset: number
  agentId?: string
  walletId?: string
  status?: AgentSession['status']
}

/** A new session; without a token it is the one of an agent's own runs. */
export type NewAgentSession = Pick<
  AgentSessionRow,
  'id' | 'organizationId' | 'agentId' | 'walletId' | 'name' | 'policy' | 'effective' | 'clipped'
> & {
  sealedUnder: LayerChanges['sealed']
  token: { hash: Uint8Array; hint: string } | null
  grant: Uint8Array
  /** ISO 8601. */
  expiresAt: string | null
}

const columns = `s.id, s.organization_id as "organizationId", s.agent_id as "agentId", s.wallet_id as "walletId", s.name,
  s.token_hint as "tokenHint", s.policy, s.effective, s.clipped, agent_session_status(s) as status,
  agent_session_end(s) as "endsAt", s.created_at as "createdAt", s.last_used_at as "lastUsedAt", s.revoked_at as "revokedAt",
  (select case when now.layers <> s.sealed_under then jsonb_build_object('sealed', s.sealed_under, 'now', now.layers) end
    from (select jsonb_build_object(
      'organization', (select r.rules from organization_rules r where r.organization_id = s.organization_id),
      'agent', (select a.policy from agents a where a.id = s.agent_id)) as layers) now) as changes`

/** The statements of agent sessions. */
export const agentSessionsStore = {
  async get(sql: Queryable, organizationId: string, id: string): Promise<AgentSessionRow | undefined> {
    const rows = await sql<AgentSessionRow[]>`
      select ${sql.unsafe(columns)} from agent_sessions s where s.id = ${id} and s.organization_id = ${organizationId}`
    return rows[0]
  },

  /** A page, newest first, with the exact number of all that match. */
  async list(sql: Queryable, query: AgentSessionQuery): Promise<{ items: AgentSessionRow[]; total: number }> {
    const { organizationId, limit, offset, agentId, walletId, status } = query
    const matching = sql`s.organization_id = ${organizationId}
      ${agentId === undefined ? sql`` : sql`and s.agent_id = ${agentId}`}
      ${walletId === undefined ? sql`` : sql`and s.wallet_id = ${walletId}`}
      ${status === undefined ? sql`` : sql`and agent_session_status(s) = ${status}`}`
    const rows = await sql<(AgentSessionRow & { total: string })[]>`
      select t.total, p.* from (select count(*) as total from agent_sessions s where ${matching}) t
      left join lateral (
        select ${sql.unsafe(columns)} from agent_sessions s where ${matching} order by s.id desc limit ${limit} offset ${offset}) p
        on true
      order by p.id desc`
    return {
      total: Number(rows[0]?.total ?? 0),
      // The total comes with every row; the one row of an empty page has no session.
      items: rows.filter(({ id }) => id !== null).map(({ total: _, ...row }) => row),
    }
  },

  async insert(tx: Queryable, session: NewAgentSession): Promise<void> {
    await tx`
      insert into agent_sessions (id, organization_id, agent_id, wallet_id, name, is_implicit, token_hash, token_hint, policy,
        sealed_under, effective, grant_sealed, clipped, expires_at)
      values (${session.id}, ${session.organizationId}, ${session.agentId}, ${session.walletId}, ${session.name},
        ${session.token === null}, ${session.token?.hash ?? null}, ${session.token?.hint ?? null},
        ${JSON.stringify(session.policy)}::text::jsonb, ${JSON.stringify(session.sealedUnder)}::text::jsonb,
        ${JSON.stringify(session.effective)}::text::jsonb, ${session.grant}, ${session.clipped}, ${session.expiresAt})`
  },

  /**
   * Revokes a session and destroys its grant. Returns `revoked`, `already`, or undefined where the organization has no such session.
   * Behind the organization's lock.
   */
  async revoke(
    tx: Queryable,
    organizationId: string,
    id: string,
  ): Promise<'revoked' | 'already' | undefined> {
    const rows = await tx<{ wasActive: boolean }[]>`
      with found as materialized (
        select id, status = 'active' as was_active from agent_sessions
        where id = ${id} and organization_id = ${organizationId} for no key update),
      revoked as (
        update agent_sessions s set status = 'revoked', grant_sealed = null, revoked_at = date_trunc('milliseconds', app_now())
        from found f where s.id = f.id and f.was_active)
      select was_active as "wasActive" from found`
    const [row] = rows
    if (row === undefined) return undefined
    return row.wasActive ? 'revoked' : 'already'
  },

  /** Revokes all sessions of an agent; returns how many were active. Behind the organization's lock. */
  async revokeOfAgent(tx: Queryable, agentId: string): Promise<number> {
    const rows = await tx`
      update agent_sessions s set status = 'revoked', grant_sealed = null, revoked_at = date_trunc('milliseconds', app_now())
      where s.agent_id = ${agentId} and s.status = 'active' returning 1`
    return rows.length
  },

  /** The version of a session's grant, and what it was sealed under; undefined once it is revoked. */
  async grantOf(
    sql: Queryable,
    id: string,
  ): Promise<(Pick<NewAgentSession, 'sealedUnder'> & { version: number }) | undefined> {
    const rows = await sql<(Pick<NewAgentSession, 'sealedUnder'> & { version: number })[]>`
      select policy_version as version, sealed_under as "sealedUnder"
      from agent_sessions where id = ${id} and status = 'active'`
    return rows[0]
  },

  /** Gives an active session a new grant, if it still is the version before. */
  async putGrant(
    tx: Queryable,
    {
      id,
      policyVersion,
      grant,
      ...made
    }: Pick<NewAgentSession, 'id' | 'sealedUnder' | 'effective' | 'clipped' | 'grant'> & {
      policyVersion: number
    },
  ): Promise<boolean> {
    const rows = await tx`
      update agent_sessions set grant_sealed = ${grant}, policy_version = ${policyVersion}, clipped = ${made.clipped},
        sealed_under = ${JSON.stringify(made.sealedUnder)}::text::jsonb, effective = ${JSON.stringify(made.effective)}::text::jsonb
      where id = ${id} and status = 'active' and policy_version = ${policyVersion - 1} returning 1`
    return rows.length === 1
  },
}
