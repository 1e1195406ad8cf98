import { limits } from '@symbolon/api'
import { plainArray, textArray } from '../../db/array-literal.ts'
import type { Queryable } from '../../db/pool.ts'
import { type CountedUnits, type GrantRow, weightsOf } from '../limiter.ts'
import type { AgentSessionPrincipal, Organization } from '../principal.ts'

/** The session behind a token; `stamp` changes with its organization's row, `nowMs` is the database's clock. */
export type SessionRecord = {
  session: Omit<AgentSessionPrincipal, 'tokenKey'>
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

/** The statements that find the session behind an agent token; each serves all requests of one moment. */
export const agentSessionsStore = {
  /** Sessions by the hex of their token's hash, each asked for `count` grants. Unknown tokens are left out. */
  async find(sql: Queryable, asked: CountedUnits[]): Promise<Map<string, SessionRecord>> {
    const rows = await sql<Row[]>`
      select * from authenticate_agents(
        hashes => ${textArray(asked.map(({ key }) => `\\x${key}`))}::text::bytea[],
        counts => ${plainArray(asked.map(({ units }) => units))}::text::integer[],
        period => ${limits.agent.periodMs / 1000}, burst => ${limits.agent.burst}, weights => ${weightsOf(asked)}::text[])`
    return new Map(rows.map((row) => [asked[Number(row.place) - 1]?.key ?? '', recordOf(row)]))
  },

  /** Organizations by id, with their stamps. */
  async organizations(
    sql: Queryable,
    ids: string[],
  ): Promise<Map<string, { organization: Organization; stamp: string }>> {
    const rows = await sql<(Organization & { stamp: string })[]>`
      select o.id, o.signing_mode as "signingMode", o.supported_networks as "supportedNetworks", o.auth_mode as "authMode",
        o.oidc_issuer as "oidcIssuer", o.oidc_audience as "oidcAudience", o.allowed_origins as "allowedOrigins",
        case when o.auth_changed_at = '-infinity' then 0 else extract(epoch from o.auth_changed_at) * 1000 end::double precision
          as "authChangedAtMs", o.receipts,
        o.version::text as stamp
      from organizations o where o.id = any(${plainArray(ids)}::text::uuid[])`
    return new Map(rows.map(({ stamp, ...organization }) => [organization.id, { organization, stamp }]))
  },
}

const recordOf = (row: Row): SessionRecord => ({
  session: {
    id: row.session_id,
    agentId: row.agent_id,
    walletId: row.wallet_id,
    state: row.state,
    nowMs: row.now_ms,
  },
  organizationId: row.organization_id,
  stamp: row.stamp,
  grants: row,
})
