import { limits } from '@symbolon/api'
import { plainArray, textArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/pool.ts'
import type { GrantRow } from './credentials.store.ts'
import type { AgentSessionPrincipal, Organization } from './principal.ts'

/** A session behind a token; `stamp` changes with its organization's row, `nowMs` is the database's clock. */
export type AdmittedSession = Omit<AgentSessionPrincipal, 'tokenKey'> & {
  organizationId: string
  stamp: string
  grants: GrantRow
}

type Row = GrantRow & {
  place: string
  session_id: string
  agent_id: string | null
  wallet_id: string
  organization_id: string
  stamp: string
  state: AgentSessionPrincipal['state']
  now_ms: number
}

/** Statements that find which agent session calls; each serves all requests of one moment. */
export const agentTokensStore = {
  /** Asks the buckets of tokens for `count` grants each, by the hex of their hash. Unknown tokens are left out. */
  async admit(
    sql: Queryable,
    asked: { tokenHash: string; count: number }[],
  ): Promise<Map<string, AdmittedSession>> {
    const rows = await sql<Row[]>`
      select * from admit_agents(
        hashes => ${textArray(asked.map(({ tokenHash }) => `\\x${tokenHash}`))}::text::bytea[],
        counts => ${plainArray(asked.map(({ count }) => count))}::text::integer[],
        period => ${limits.agent.periodMs / 1000}, burst => ${limits.agent.burst})`
    return new Map(rows.map((row) => [asked[Number(row.place) - 1]?.tokenHash ?? '', sessionOf(row)]))
  },

  /** Organizations by id, with their stamps. */
  async organizations(sql: Queryable, ids: string[]): Promise<(Organization & { stamp: string })[]> {
    return sql<(Organization & { stamp: string })[]>`
      select o.id, o.signing_mode as "signingMode", o.supported_networks as "supportedNetworks", o.auth_mode as "authMode",
        o.oidc_issuer as "oidcIssuer", o.oidc_audience as "oidcAudience", o.allowed_origins as "allowedOrigins",
        case when o.auth_changed_at = '-infinity' then 0 else extract(epoch from o.auth_changed_at) * 1000 end::double precision
          as "authChangedAtMs",
        o.version::text as stamp
      from organizations o where o.id = any(${plainArray(ids)}::text::uuid[])`
  },
}

const sessionOf = (row: Row): AdmittedSession => ({
  id: row.session_id,
  agentId: row.agent_id,
  walletId: row.wallet_id,
  organizationId: row.organization_id,
  stamp: row.stamp,
  state: row.state,
  nowMs: row.now_ms,
  grants: {
    granted: row.granted,
    remaining: row.remaining,
    retry_seconds: row.retry_seconds,
    reset_seconds: row.reset_seconds,
  },
})
