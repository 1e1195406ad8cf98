import type { AgentPolicy, OrganizationRules } from '@symbolon/api'
import type { Queryable } from '../../../db/pool.ts'

/** The layers around the sessions of a wallet, as they are now; version 0: there are no rules. */
export type Surroundings = {
  rules: OrganizationRules | null
  rulesVersion: string
  /** Null where no agent was asked for, or the organization has none of this id. */
  agent: {
    walletId: string
    status: 'active' | 'archived'
    policy: AgentPolicy
    policyVersion: string
  } | null
  /** Null: the organization has no such wallet. */
  wallet: { signingMode: 'client' | 'tee'; status: 'active' | 'archived' } | null
  nowMs: number
}

/** The statements that grants are made with. */
export const sessionLayersStore = {
  async read(
    sql: Queryable,
    organizationId: string,
    { walletId, agentId }: { walletId: string; agentId: string | null },
  ): Promise<Surroundings> {
    const rows = await sql<Surroundings[]>`
      select r.rules, coalesce(r.version, 0)::text as "rulesVersion",
        (extract(epoch from app_now()) * 1000)::double precision as "nowMs",
        (select json_build_object('walletId', a.wallet_id, 'status', a.status, 'policy', a.policy,
            'policyVersion', a.policy_version::text)
          from agents a where a.id = ${agentId} and a.organization_id = ${organizationId}) as agent,
        (select json_build_object('signingMode', w.signing_mode, 'status', w.status)
          from wallets w where w.id = ${walletId} and w.organization_id = ${organizationId}) as wallet
      from (values (1)) one left join organization_rules r on r.organization_id = ${organizationId}`
    const [row] = rows
    if (row === undefined) throw new Error('The context of a session cannot be read.')
    return row
  },

  /** Whether the layers a grant was made under are unchanged. */
  isUnchanged: (before: Surroundings, now: Surroundings): boolean =>
    before.rulesVersion === now.rulesVersion &&
    before.agent?.policyVersion === now.agent?.policyVersion &&
    before.agent?.status === now.agent?.status,
}
