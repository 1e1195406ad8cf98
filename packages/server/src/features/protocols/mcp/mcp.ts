import type { CallToolResult, Server, Tool } from '@modelcontextprotocol/server'
import type { Queryable } from '../../../db/pool.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import type { AgentSessionPrincipal, Organization } from '../../../http/principal.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { AgentTools } from '../../agents/index.ts'
import { type CallAttempt, keyedCall } from './keyed-call.ts'
import { type McpSdk, mcpSdk } from './mcp-sdk.ts'

/** Who uses the tools of which agent. */
export type McpCaller = { organization: Organization; agentId: string; session: AgentSessionPrincipal }

/**
 * Serves one request of Streamable HTTP; the tools work under the caller's session. Each request is whole by itself. `key`: calls of tools
 * under the same one are made once.
 */
export type Mcp = (
  request: Request,
  principal: McpCaller,
  given: { body: unknown; key: string | undefined },
) => Promise<Response>

const onlyInRuns = 'Works within a run of the agent only, not from here.'
const info = { name: 'symbolon', title: 'Symbolon agent', version: '1.0.0' }

/**
 * The registry's tools as an MCP server of both eras of the protocol. A refusal by the policy is a result with `isError`, so that models
 * read its reason. There is no run here: tools about one say so.
 */
export function mcp({
  sql,
  tools,
  idempotency,
  ids,
  log,
}: {
  sql: Queryable
  tools: AgentTools
  idempotency: Idempotency
  ids: Ids
  log: Log
}): Mcp {
  const offered: Tool[] = tools.list().map(({ name, description, inputSchema, isControl, hints }) => ({
    name,
    description: isControl ? `${description} ${onlyInRuns}` : description,
    inputSchema: { ...inputSchema, type: 'object' as const },
    annotations: hints,
  }))

  const names = new Set(offered.map(({ name }) => name))

  async function call(
    name: string,
    args: unknown,
    principal: McpCaller,
    attempt: CallAttempt,
  ): Promise<CallToolResult> {
    const result = await tools.call(name, args, { ...principal, ...attempt })
    const value = result.ok ? result.output : result.error
    return {
      content: [{ type: 'text', text: JSON.stringify(value ?? null) }],
      ...(isRecord(value) && { structuredContent: value }),
      ...(!result.ok && { isError: true }),
    }
  }

  function serverFor(
    { ProtocolError, ProtocolErrorCode, Server: McpServer }: McpSdk,
    principal: McpCaller,
    { body, key }: Parameters<Mcp>[2],
  ): Server {
    const server = new McpServer(info, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', async () => ({ tools: offered }))
    server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {} } }, { mcpReq }) => {
      if (!names.has(name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.')
      if (key === undefined) return call(name, args, principal, unnamed(ids))
      const keyed = { key, sessionId: principal.session.id, place: placeOf(mcpReq.id, body), name, args }
      return keyedCall({ sql, idempotency }, keyed, (attempt) => call(name, args, principal, attempt))
    })
    return server
  }

  return async (request, principal, given) => {
    const sdk = await mcpSdk()
    const handler = sdk.createMcpHandler(() => serverFor(sdk, principal, given), {
      onerror: (error) => log.warn({ err: error }, 'an MCP request was not served'),
    })
    return handler.fetch(request, { parsedBody: given.body })
  }
}

/** A call without a key: nobody can ask for the same one again, so that nothing is noted of it. */
const unnamed = (ids: Ids): CallAttempt => ({
  attemptKey: `mcp ${ids.next()}`,
  notes: [],
  note: async () => {},
})

/** Where in a batch a request is; the id of a request is its client's, and another one when it asks again. */
const placeOf = (id: unknown, body: unknown): number =>
  Array.isArray(body) ? body.findIndex((message) => isRecord(message) && message['id'] === id) : 0

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
