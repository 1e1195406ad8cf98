import type { Queryable } from '../../../db/pool.ts'
import type { PolicyVersions } from '../../spending/index.ts'

/** A session as signing needs it: its grant, and the layers as they are now. */
export type SigningSession = PolicyVersions & {
  id: string
  organizationId: string
  walletId: string
  agentId: string | null
  /** Null once it is revoked. */
  grant: Uint8Array | null
  /** JSON `{organization, agent}`, null for a layer that nobody has set. */
  current: string
}

type Row = Omit<SigningSession, 'current'> & { rules: string | null; agentPolicy: string | null }

/** The statements of sessions that sign. */
export const signingSessionsStore = {
  /** Sessions by id, in the order asked. */
  async byIds(sql: Queryable, ids: string[]): Promise<(SigningSession | undefined)[]> {
    const rows = await sql<Row[]>`
      select s.id, s.organization_id as "organizationId", s.wallet_id as "walletId", s.agent_id as "agentId",
        s.grant_sealed as grant, s.policy_version as "policyVersion", coalesce(r.version, 0)::text as "rulesVersion",
        a.policy_version::text as "agentVersion", r.rules::text as rules, a.policy::text as "agentPolicy"
      from agent_sessions s
      left join organization_rules r on r.organization_id = s.organization_id
      left join agents a on a.id = s.agent_id
      where s.id = any(${ids}::uuid[])`
    const found = new Map(
      rows.map(({ rules, agentPolicy, ...row }) => [row.id, withCurrent(row, rules, agentPolicy)]),
    )
    return ids.map((id) => found.get(id))
  },

  /** Whether it is a session of the organization. */
  async isOf(sql: Queryable, id: string, organizationId: string): Promise<boolean> {
    const rows = await sql`
      select from agent_sessions where id = ${id} and organization_id = ${organizationId}`
    return rows.length === 1
  },
}

const withCurrent = (
  row: Omit<SigningSession, 'current'>,
  rules: string | null,
  agentPolicy: string | null,
): SigningSession => ({
  ...row,
  current: `{"organization":${compact(rules)},"agent":${compact(agentPolicy)}}`,
})

/** PostgreSQL's text has spaces, which every question to the enclave would carry. */
const compact = (json: string | null): string => (json === null ? 'null' : JSON.stringify(JSON.parse(json)))
