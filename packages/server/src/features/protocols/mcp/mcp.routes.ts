import { ApiError, callAgentTools, type ErrorCode, limits } from '@symbolon/api'
import type { Sql } from '../../../db/pool.ts'
import { isIdempotencyKey } from '../../../http/idempotency.ts'
import { readJsonBody } from '../../../http/json-body.ts'
import type { Limiter, RateGrant } from '../../../http/limiter.ts'
import { isOriginAllowed, type OriginRules } from '../../../http/origin.ts'
import type { AgentSessionPrincipal } from '../../../http/principal.ts'
import { onRaw, type RawAnswer, type RawCall } from '../../../http/raw-handler.ts'
import type { AgentSigning, AgentTools } from '../../agents/index.ts'
import type { calledAgent } from '../a2a/a2a.routes.ts'
import { calledTools } from './called-tools.ts'
import type { Mcp } from './mcp.ts'
import { mcpSdk } from './mcp-sdk.ts'

type McpCall = RawCall<typeof callAgentTools>
type EndedState = Exclude<AgentSessionPrincipal['state'], 'active'>

/** What the endpoint is made of. */
export type McpRouteParts = {
  sql: Sql
  serve: Mcp
  /** The agent that a caller may talk to, or the refusal. */
  called: typeof calledAgent
  attemptOf: AgentTools['attemptOf']
  /** Writes the event of an ended session's attempt. */
  ended: AgentSigning['ended']
  baseUrl: string
  limiter: Limiter
  originRules: OriginRules
}

/** The MCP endpoint of agents. */
export function mcpRoutes({
  sql,
  serve,
  called,
  attemptOf,
  ended,
  baseUrl,
  limiter,
  originRules,
}: McpRouteParts) {
  /** The request itself has taken one. */
  async function acquireGrants(messages: readonly unknown[], { principal, rate }: McpCall): Promise<void> {
    const grants = messages.slice(1).map(() => limiter.acquire('agent', principal.session.id))
    for (const grant of await Promise.all(grants)) checkGrant(grant, rate)
  }

  /** Whatever it asks, an ended session hears that it has ended; each of its attempts has its event, and counts against its rate. */
  async function refuseEnded(call: McpCall, state: EndedState): Promise<never> {
    const { principal, rawBody, fail } = call
    const messages = messagesOf(readJsonBody(rawBody).value)
    // What would be refused for its length has no calls.
    const calls = messages.length > limits.agent.burst ? [] : calledTools(messages)
    const attempts = calls.flatMap(({ name, args }) => attemptOf(name, args) ?? [])
    await acquireGrants(attempts, call)
    await Promise.all(attempts.map((attempt) => ended(principal, state, attempt, fail)))
    throw fail(endedCodes[state])
  }

  async function answer(call: McpCall): Promise<RawAnswer> {
    const { params, principal, fail, rawBody, headers, signal, request } = call
    if (principal.session.state !== 'active') return refuseEnded(call, principal.session.state)
    // A page that found a token, or a name that leads to us (MCP, Streamable HTTP: "Security").
    if (!isOriginAllowed(request.origin, principal.organization.allowedOrigins, originRules))
      throw new ApiError('origin_not_allowed')
    const agent = await called(sql, params.agentID, principal, fail)
    const { value: body, refusal } = readJsonBody(rawBody)
    if (refusal !== undefined) return refused(refusal.isJson ? -32600 : -32700, refusal.message)
    const key = headers['idempotency-key']
    if (key !== undefined && (typeof key !== 'string' || !isIdempotencyKey(key)))
      return refused(-32600, 'Idempotency-Key has to be 1 to 255 visible ASCII characters.')
    const messages = messagesOf(body)
    if (messages.length > limits.agent.burst) return refused(-32600, 'The batch is too long.')
    // One of the answers would be lost.
    const requestIds = messages.flatMap(idOf)
    if (new Set(requestIds).size < requestIds.length)
      return refused(-32600, 'Two requests of the batch have the same id.')
    const { isInitializeRequest } = await mcpSdk()
    const wrong = messages.find((message) => isMethod(message, 'initialize') && !isInitializeRequest(message))
    if (wrong !== undefined)
      return refused(-32602, 'initialize needs protocolVersion, capabilities and clientInfo.', wrong)
    await acquireGrants(messages, call)
    const web = new Request(new URL(request.url, baseUrl), {
      method: 'POST',
      headers: webHeaders(headers),
      body: JSON.stringify(body),
      signal,
    })
    return rawAnswer(
      await serve(
        web,
        { organization: principal.organization, agentId: agent.id, session: principal.session },
        { body, key },
      ),
    )
  }

  return [
    onRaw(callAgentTools, answer, {
      async onMalformed({ session: { state } }) {
        if (state !== 'active') throw new ApiError(endedCodes[state])
      },
    }),
  ]
}

const endedCodes = { revoked: 'token_revoked', expired: 'token_expired' } as const satisfies Record<
  EndedState,
  ErrorCode
>

const messagesOf = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : [body])

const idOf = (message: unknown): unknown[] =>
  typeof message === 'object' && message !== null && 'id' in message ? [message.id] : []

const isMethod = (message: unknown, method: string): boolean =>
  typeof message === 'object' && message !== null && 'method' in message && message.method === method

function checkGrant(grant: RateGrant, rate: (grant: RateGrant) => void): void {
  rate(grant)
  if (!grant.isGranted)
    throw new ApiError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(grant.retrySeconds)) })
}

function refused(code: number, message: string, request: unknown = {}): RawAnswer {
  const { id = null } = request as { id?: string | number | null }
  return {
    status: 400,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }),
  }
}

function webHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const made = new Headers()
  // The credential stays with us.
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && name !== 'authorization' && name !== 'cookie') made.set(name, value)
  // Whoever takes anything takes both kinds of answers, which the official handler looks for by name.
  if ((made.get('accept') ?? '*/*').includes('*/*')) made.set('accept', 'application/json, text/event-stream')
  return made
}

async function rawAnswer(response: Response): Promise<RawAnswer> {
  const headers: Record<string, string> = {}
  for (const name of ['content-type', 'cache-control', 'allow', 'mcp-protocol-version'])
    if (response.headers.has(name)) headers[name] = response.headers.get(name) ?? ''
  const { body, status } = response
  if (body === null) return { status, headers, body: '' }
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true
  return { status, headers, body: isStream ? texts(body) : await response.text() }
}

async function* texts(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of body) yield decoder.decode(chunk, { stream: true })
}
