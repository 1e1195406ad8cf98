import type { Agent, AgentPolicy, AgentSession, MintWarning, OrganizationRules } from '@symbolon/api'
import { callAs, type PortalUser } from '../app/portal-user.ts'
import type { Tenant } from '../app/tenant.ts'
import type { TestApp } from '../app/test-app.ts'

/** A session as its mint answered it. */
export type MintedSession = AgentSession & { token: string; warnings: MintWarning[] }

/** What a mint has to say; an hour, ten units in all. */
export const mintBody = (walletId: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  wallet_id: walletId,
  name: 'Payer',
  max_spend_per_tx_native: '1000',
  max_spend_total_native: '10000',
  allowed_chains: ['local', 'base'],
  allowed_methods: ['signMessage', 'sendTransaction'],
  expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  ...more,
})

/** For sessions that send on a chain: the fees of it count against their total. */
export const roomForFees = { max_spend_total_native: '1000000000000000000' } as const

/** Mints a session. */
export async function mintSession(
  app: Pick<TestApp, 'call'>,
  { sk }: Pick<Tenant, 'sk'>,
  walletId: string,
  more: Record<string, unknown> = {},
): Promise<MintedSession> {
  const json = mintBody(walletId, more)
  const { status, text, data } = await app.call<MintedSession>('POST', '/v1/s2s/agent-sessions', { sk, json })
  if (status !== 201) throw new Error(`The mint answered ${text}`)
  return data
}

/** Makes an agent as a member of the organization. */
export async function makeAgent(
  app: Pick<TestApp, 'call'>,
  { member, organizationId, walletId }: { member: PortalUser; organizationId: string; walletId: string },
  more: { policy?: AgentPolicy; [field: string]: unknown } = {},
): Promise<Agent> {
  const body = { name: 'Buyer', wallet_id: walletId, ...more }
  const path = `/v1/orgs/${organizationId}/agents`
  const { status, text, data } = await callAs<Agent>(app, member, ['POST', path, body])
  if (status !== 201) throw new Error(`The agent was not made: ${text}`)
  return data
}

/** Sets the organization's rules as its admin or owner. */
export async function setRules(
  app: Pick<TestApp, 'call'>,
  { member, organizationId }: { member: PortalUser; organizationId: string },
  rules: OrganizationRules,
): Promise<void> {
  const { status, text } = await callAs(app, member, ['PUT', `/v1/orgs/${organizationId}/rules`, rules])
  if (status !== 200) throw new Error(`The rules were not set: ${text}`)
}
