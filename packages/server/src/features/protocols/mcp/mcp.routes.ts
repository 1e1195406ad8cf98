import { ApiError, callAgentTools, type ErrorCode, type ErrorOf, limits } from '@symbolon/api'
import { isIdempotencyKey } from '../../../http/idempotency.ts'
import type { Limiter } from '../../../http/limiter.ts'
import { isOriginAllowed, type OriginRules } from '../../../http/origin.ts'
import type { AgentSessionPrincipal } from '../../../http/principal.ts'
import { onRaw, type RawAnswer, type RawCall } from '../../../http/raw-handler.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import { recordEnded, signingOf } from '../../agents/index.ts'
import { calledAgent } from '../called-agent.ts'
import { calledTools } from './called-tools.ts'
import { type McpCtx, serveMcp } from './mcp.ts'
import { mcpSdk } from './mcp-sdk.ts'

type McpRequest = RawCall<typeof callAgentTools>
type McpFailure = Failure<ErrorOf<typeof callAgentTools>>
type EndedState = Exclude<AgentSessionPrincipal['state'], 'active'>

/** What the endpoint works with. */
export type McpRoutesCtx = { mcp: McpCtx; limiter: Limiter; originRules: OriginRules; baseUrl: string }

/** The MCP endpoint of agents. */
export const mcpRoutes = (ctx: McpRoutesCtx) => [
  onRaw(callAgentTools, (request) => answer(ctx, request), {
    async onMalformed({ session: { state } }) {
      if (state !== 'active') throw new ApiError(endedCodes[state])
    },
  }),
]

async function answer(ctx: McpRoutesCtx, call: McpRequest): Promise<RawAnswer | McpFailure> {
  const { params, principal, readJson, headers, signal, request } = call
  const { state } = principal.session
  if (state !== 'active') return refuseEnded(ctx, call, state)
  // A page that found a token, or a name that resolves to us (MCP, Streamable HTTP: "Security").
  if (!isOriginAllowed(request.origin, principal.organization.allowedOrigins, ctx.originRules))
    throw new ApiError('origin_not_allowed')
  const agent = await calledAgent(ctx.mcp.sql, params.agentID, principal)
  if (isFailure(agent)) return agent
  const { value: body, refusal } = await readJson()
  if (refusal !== undefined) return refused(refusal.isJson ? -32600 : -32700, refusal.message)
  const key = headers['idempotency-key']
  if (key !== undefined && (typeof key !== 'string' || !isIdempotencyKey(key)))
    return refused(-32600, 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
  const messages = messagesOf(body)
  if (isInitializeOfToday(headers, body)) return refused(-32601, 'Method not found', body, 404)
  const wrong = await checkMessages(messages)
  if (wrong !== undefined) return wrong
  const limited = await acquireGrants(ctx, messages, call)
  if (limited !== undefined) return limited
  const web = new Request(new URL(request.url, ctx.baseUrl), {
    method: 'POST',
    headers: webHeaders(headers),
    body: JSON.stringify(body),
    signal,
  })
  const { organization, session } = principal
  return rawAnswer(await serveMcp(ctx.mcp, web, { actor: { organization, session }, body, key }))
}

/** The answer to messages that are not served. */
async function checkMessages(messages: readonly unknown[]): Promise<RawAnswer | undefined> {
  if (messages.length > limits.agent.burst) return refused(-32600, 'The batch is too long.')
  // One of the answers would be lost.
  const requestIds = messages.flatMap(idOf)
  if (new Set(requestIds).size < requestIds.length)
    return refused(-32600, 'Two requests of the batch have the same id.')
  const { isInitializeRequest } = await mcpSdk()
  const wrong = messages.find((message) => isMethod(message, 'initialize') && !isInitializeRequest(message))
  return wrong === undefined
    ? undefined
    : refused(-32602, 'initialize needs protocolVersion, capabilities and clientInfo.', wrong)
}

/** An ended session is always refused as ended; each of its signing requests is recorded, and counts against its rate. */
async function refuseEnded(
  ctx: McpRoutesCtx,
  call: McpRequest,
  state: EndedState,
): Promise<Failure<'rate_limited' | 'token_revoked' | 'token_expired'>> {
  const { tools } = ctx.mcp
  const messages = messagesOf((await call.readJson()).value)
  // A batch that would be refused for its length makes no calls.
  const calls = messages.length > limits.agent.burst ? [] : calledTools(messages)
  const requests = calls.flatMap(({ name, args }) => signingOf(tools, name, args) ?? [])
  const limited = await acquireGrants(ctx, requests, call)
  if (limited !== undefined) return limited
  const { organization, session } = call.principal
  const actor = { organization, session }
  await Promise.all(requests.map((request) => recordEnded(tools.signing, { actor, state, ...request })))
  return failure(endedCodes[state])
}

/** Counts all messages but the first, which the request itself was counted for. */
async function acquireGrants(
  { limiter }: McpRoutesCtx,
  messages: readonly unknown[],
  { principal, rate }: McpRequest,
): Promise<Failure<'rate_limited'> | undefined> {
  const grants = messages.slice(1).map(() => limiter.acquire('agent', principal.session.id))
  for (const grant of await Promise.all(grants)) {
    rate(grant)
    if (!grant.isGranted)
      return failure('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(grant.retrySeconds)) })
  }
  return undefined
}

const endedCodes = { revoked: 'token_revoked', expired: 'token_expired' } as const satisfies Record<
  EndedState,
  ErrorCode
>

const statelessVersion = '2026-07-28'

const messagesOf = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : [body])

const idOf = (message: unknown): unknown[] =>
  typeof message === 'object' && message !== null && 'id' in message ? [message.id] : []

const isMethod = (message: unknown, method: string): boolean =>
  typeof message === 'object' && message !== null && 'method' in message && message.method === method

/**
 * Whether a request for `initialize` declares MCP 2026-07-28, in its header and in itself: that version has no such method, whatever else
 * the request lacks.
 */
function isInitializeOfToday(
  { 'mcp-protocol-version': header }: McpRequest['headers'],
  body: unknown,
): boolean {
  if (header !== statelessVersion || !isMethod(body, 'initialize')) return false
  const { params } = body as { params?: { _meta?: Record<string, unknown> | null } | null }
  return params?._meta?.['io.modelcontextprotocol/protocolVersion'] === statelessVersion
}

function refused(code: number, message: string, request: unknown = {}, status = 400): RawAnswer {
  const { id = null } = request as { id?: string | number | null }
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }),
  }
}

function webHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const made = new Headers()
  // The credential stays with us.
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && name !== 'authorization' && name !== 'cookie') made.set(name, value)
  // A client that accepts anything accepts both kinds of answers, which the official handler looks for by name.
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
