import { randomBytes } from 'node:crypto'
import type { AgentEvent, AgentSession, PolicyViolation, SignResponse } from '@symbolon/api'
import { callAs, type PortalUser } from '../app/portal-user.ts'
import type { Answer, Api } from '../app/test-app.ts'

/** Somebody new to pay. */
export const anyAddress = (): string => `0x${randomBytes(20).toString('hex')}`

/** A request to sign a plain transfer on an EVM chain; `value` and `gasPrice` in wei. Without a price its fee is 0. */
export const transferRequest = (
  to: string,
  value: bigint,
  { nonce = 0, chain = 'local', gasPrice = 0n }: { nonce?: number; chain?: string; gasPrice?: bigint } = {},
) => ({
  type: 'transaction',
  chain,
  transaction: {
    to,
    value: `0x${value.toString(16)}`,
    nonce: `0x${nonce.toString(16)}`,
    gas_limit: '0x5208',
    max_fee_per_gas: `0x${gasPrice.toString(16)}`,
    max_priority_fee_per_gas: '0x0',
  },
})

/** Signs with an agent's token. */
export const signAs = (api: Api, token: string, json: unknown): Promise<Answer<SignResponse>> =>
  api.call('POST', '/v1/agents/me/sign', { token, json })

/** The session behind a token. */
export async function mySession(api: Api, token: string): Promise<AgentSession> {
  const { data, text } = await api.call<AgentSession>('GET', '/v1/agents/me', { token })
  if (data === null) throw new Error(`The session was not answered: ${text}`)
  return data
}

/** The rule that refused. */
export const violation = ({ error }: Answer<unknown>): PolicyViolation | undefined =>
  error?.code === 'policy_violation' ? (error.details as PolicyViolation) : undefined

/** What a session tried, newest first. */
export async function eventsOf(
  api: Api,
  member: Pick<PortalUser, 'cookie'>,
  { id, organization_id }: Pick<AgentSession, 'id' | 'organization_id'>,
  query = '',
): Promise<{ items: AgentEvent[]; total: number }> {
  const path = `/v1/orgs/${organization_id}/agent-sessions/${id}/events${query}`
  const { data, text } = await callAs<{ items: AgentEvent[]; total: number }>(api, member, ['GET', path])
  if (data === null) throw new Error(`The events were not answered: ${text}`)
  return data
}

/** Value and fees of what left within a session, as its newest hundred events have them. */
export async function costOfAllowed(...[api, member, session]: Parameters<typeof eventsOf>): Promise<string> {
  const { items } = await eventsOf(api, member, session, '?outcome=allowed&limit=100')
  return items.reduce((sum, { value, fee }) => sum + BigInt(value ?? 0) + BigInt(fee ?? 0), 0n).toString()
}
