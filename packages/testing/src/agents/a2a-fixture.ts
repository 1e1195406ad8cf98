import type { Agent } from '@symbolon/api'
import { newMember, type PortalUser } from '../app/portal-user.ts'
import { makeTenant, makeWalletFor, type Tenant } from '../app/tenant.ts'
import { ownOrigin, startTestApp, type TestApp, type TestAppOptions } from '../app/test-app.ts'
import { type MintedSession, makeAgent, mintSession, roomForFees } from './agents.ts'

/** A platform with an agent that others talk to. */
export type A2aFixture = {
  app: TestApp
  tenant: Tenant
  owner: PortalUser
  walletId: string
  /** Its runner is the scripted one: the objective says what it does. */
  agent: Agent
  /** Bound to the agent. */
  session: MintedSession
  /** Where the agent is, as this process serves it. */
  at: string
  newAgent(more?: Record<string, unknown>): Promise<Agent>
  newSession(agentId: string, more?: Record<string, unknown>): Promise<MintedSession>
  /** `fetch` that shows the token and finds this process where the cards name the platform. */
  fetchAs(token: string): typeof fetch
  /** Sends one JSON-RPC request. */
  rpc(method: string, params: unknown, options?: RpcOptions): Promise<RpcAnswer>
}

export type RpcOptions = { token?: string; headers?: Record<string, string>; body?: string; at?: string }
export type RpcAnswer = {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of four generations of a protocol.
  body: any
}

// Tests put their own in its place.
const realFetch = globalThis.fetch

/** Makes the platform, or one more fixture on a platform that is there. */
export async function a2aFixture(options: TestAppOptions & { app?: TestApp } = {}): Promise<A2aFixture> {
  const app = options.app ?? (await startTestApp(options))
  const tenant = await makeTenant(app)
  const owner = await newMember(app, tenant.id, 'owner')
  const walletId = (await makeWalletFor(app, tenant)).id
  const newAgent = (more: Record<string, unknown> = {}) =>
    makeAgent(
      app,
      { member: owner, organizationId: tenant.id, walletId },
      { runner: 'scripted', description: 'Follows its script.', ...more },
    )
  const newSession = (agentId: string, more: Record<string, unknown> = {}) =>
    mintSession(app, tenant, walletId, { agent_id: agentId, ...roomForFees, ...more })
  const agent = await newAgent()
  const session = await newSession(agent.id)
  const at = `${app.url}/v1/agents/${agent.id}`
  let id = 0

  return {
    app,
    tenant,
    owner,
    walletId,
    agent,
    session,
    at,
    newAgent,
    newSession,
    fetchAs: (token) => (input, init) => {
      const url = String(input instanceof Request ? input.url : input).replace(ownOrigin, app.url)
      const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
      headers.set('authorization', `Bearer ${token}`)
      return realFetch(url, { ...init, headers })
    },
    async rpc(method, params, { token = session.token, headers = {}, body, at: place = at } = {}) {
      const response = await fetch(`${place}/a2a`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body: body ?? JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') === true
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson ? JSON.parse(text) : eventsIn(text),
      }
    },
  }
}

/** The values of a whole stream of events. */
export const eventsIn = (text: string): unknown[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, value]) => JSON.parse(value ?? 'null') as unknown)

/** Looks until it is so. */
export async function eventually<value>(
  look: () => Promise<value | undefined>,
  limitMs = 30_000,
): Promise<value> {
  const until = Date.now() + limitMs
  while (Date.now() < until) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('It never came about.')
}
