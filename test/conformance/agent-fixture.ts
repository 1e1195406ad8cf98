import type { Agent } from '@symbolon/api'
import { type MintedSession, makeAgent, mintSession, roomForFees } from '@symbolon/testing/agents'
import type { Tenant, TestApp } from '@symbolon/testing/app'
import { callAs, type PortalUser } from '@symbolon/testing/app'

/** The parts that error cases of agents are made from. */
export type AgentFixture = {
  agent: Agent
  archivedAgentId: string
  /** Bound to `agent`. */
  session: MintedSession
  /** Of the same wallet, and bound to no agent. */
  unbound: MintedSession
  /** A session that some error case may revoke. */
  spareId: string
  revokedToken: string
  expiredToken: string
}

/** Makes the agents and sessions of a wallet; `member` may make agents. */
export async function makeAgentFixture(
  app: TestApp,
  { tenant, member, walletId }: { tenant: Tenant; member: PortalUser; walletId: string },
): Promise<AgentFixture> {
  const around = { member, organizationId: tenant.id, walletId }
  const policy = { allowed_contracts: [], max_spend_total_native: '1000000000000000000' }
  const agent = await makeAgent(app, around, { policy, runner: 'intent' })
  const archived = await makeAgent(app, around)
  await callAs(app, member, ['POST', `/v1/orgs/${tenant.id}/agents/${archived.id}/archive`])
  const revoked = await mintSession(app, tenant, walletId)
  await app.call('POST', `/v1/orgs/${tenant.id}/agent-sessions/${revoked.id}/revoke`, { sk: tenant.sk })
  const expired = await mintSession(app, tenant, walletId)
  await app.sql`update agent_sessions set expires_at = app_now() where id = ${expired.id}`
  return {
    agent,
    archivedAgentId: archived.id,
    session: await mintSession(app, tenant, walletId, { agent_id: agent.id, ...roomForFees }),
    unbound: await mintSession(app, tenant, walletId),
    spareId: (await mintSession(app, tenant, walletId)).id,
    revokedToken: revoked.token,
    expiredToken: expired.token,
  }
}
