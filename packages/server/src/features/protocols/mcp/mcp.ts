import type { CallToolResult, Server, Tool } from '@modelcontextprotocol/server'
import { ApiError, errors } from '@symbolon/api'
import type { Sql } from '../../../db/pool.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import { isFailure } from '../../../runtime/failure.ts'
import {
  type AgentTools,
  callTool,
  holderOf,
  type ToolCall,
  type ToolContext,
  type UsableTool,
  usableTools,
} from '../../agents/index.ts'
import { idempotentCall } from './idempotent-call.ts'
import { type McpSdk, mcpSdk } from './mcp-sdk.ts'

/** What MCP requests are served with. */
export type McpCtx = { sql: Sql; tools: AgentTools; idempotency: Idempotency; ids: Ids; log: Log }

/** A request to serve: the parsed body, the session that calls, and the key under which its calls are idempotent. */
export type McpCall = { actor: ToolContext['actor']; body: unknown; key: string | undefined }

const info = { name: 'symbolon', title: 'Symbolon agent', version: '1.0.0' }

/**
 * Serves one request of Streamable HTTP with the registry's tools, in both eras of the protocol. Each request is complete by itself. A
 * policy's refusal is a result with `isError`, so that models read its reason.
 */
export async function serveMcp(ctx: McpCtx, request: Request, call: McpCall): Promise<Response> {
  const sdk = await mcpSdk()
  const handler = sdk.createMcpHandler(() => serverFor(ctx, sdk, call), {
    onerror: (error) => ctx.log.warn({ err: error }, 'an MCP request failed'),
  })
  return handler.fetch(request, { parsedBody: call.body })
}

function serverFor(ctx: McpCtx, sdk: McpSdk, { actor, body, key }: McpCall): Server {
  const { ProtocolError, ProtocolErrorCode, Server: McpServer } = sdk
  const { tools, ids } = ctx
  const server = new McpServer(info, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', async () => {
    const holder = await holderOf(tools, actor)
    if (isFailure(holder)) throw new ApiError(holder.code, holder)
    return { tools: usableTools(tools, holder).map(mcpTool) }
  })
  server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {} } }, { mcpReq }) => {
    const tool = tools.byName.get(name)
    // The others work only within a run.
    if (tool === undefined || tool.isControl === true)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        'Tool not found. List the tools with tools/list.',
      )
    const make = (call: ToolCall) => resultOf(tools, name, args, { actor, call })
    if (key === undefined) return said(ctx, sdk, make(unnamedCall(ids)))
    const place = placeOf(mcpReq.id, body)
    const isContinued = tool.isContinued === true
    const call = { key, sessionId: actor.session.id, place, name, args, isContinued }
    return said(ctx, sdk, idempotentCall(ctx, call, make))
  })
  return server
}

/** A call's result. What a bug or the database says is for the log: the SDK would send the message of any error. */
async function said<result>(
  { log }: McpCtx,
  { ProtocolError, ProtocolErrorCode }: McpSdk,
  result: Promise<result>,
): Promise<result> {
  try {
    return await result
  } catch (error) {
    if (error instanceof ApiError || error instanceof ProtocolError) throw error
    log.error({ err: error }, 'a tool failed')
    throw new ProtocolError(ProtocolErrorCode.InternalError, errors.internal.message)
  }
}

async function resultOf(
  tools: AgentTools,
  name: string,
  args: unknown,
  context: ToolContext,
): Promise<CallToolResult> {
  const result = await callTool(tools, name, args, context)
  const value = result.ok ? result.output : result.error
  return {
    content: [{ type: 'text', text: JSON.stringify(value ?? null) }],
    ...(isRecord(value) && { structuredContent: value }),
    ...(!result.ok && { isError: true }),
  }
}

const mcpTool = ({ name, description, inputSchema, hints }: UsableTool): Tool => ({
  name,
  description,
  inputSchema: { ...inputSchema, type: 'object' },
  annotations: hints,
})

/** A call without a key: nobody can repeat it, so that its notes are not kept. */
const unnamedCall = (ids: Ids): ToolCall => ({
  key: `mcp ${ids.next()}`,
  notes: [],
  note: async () => {},
})

/** A request's place in the batch; its id is the client's, which gives a repeated request another one. */
const placeOf = (id: unknown, body: unknown): number =>
  Array.isArray(body) ? body.findIndex((message) => isRecord(message) && message['id'] === id) : 0

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
