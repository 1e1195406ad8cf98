import {
  type CallToolResult,
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool,
} from '@modelcontextprotocol/server'
import type { AgentSessionCaller, Organization } from '../../http/caller.ts'
import type { Ids } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { AgentTools } from '../agent-tools/agent-tools.ts'

/** Who uses the tools of which agent. */
export type McpCaller = { organization: Organization; agentId: string; session: AgentSessionCaller }

/** Serves one request of Streamable HTTP; the tools work under the caller's session. Each request is whole by itself. */
export type Mcp = (request: Request, caller: McpCaller, body: unknown) => Promise<Response>

const onlyInRuns = 'Works within a run of the agent only, not from here.'
const info = { name: 'symbolon', title: 'Symbolon agent', version: '1.0.0' }

/**
 * The registry's tools as an MCP server of both eras of the protocol. A refusal by the policy is a result with `isError`, so that models
 * read its reason. There is no run here: tools about one say so.
 */
export function mcp({ tools, ids, log }: { tools: AgentTools; ids: Ids; log: Log }): Mcp {
  const offered: Tool[] = tools.list().map(({ name, description, inputSchema, isControl }) => ({
    name,
    description: isControl ? `${description} ${onlyInRuns}` : description,
    inputSchema: { ...inputSchema, type: 'object' as const },
  }))

  const names = new Set(offered.map(({ name }) => name))

  async function call(name: string, args: unknown, caller: McpCaller): Promise<CallToolResult> {
    if (!names.has(name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.')
    const result = await tools.call(name, args, {
      ...caller,
      attemptKey: `mcp ${ids.next()}`,
      notes: [],
      note: async () => {},
    })
    const value = result.ok ? result.output : result.error
    return {
      content: [{ type: 'text', text: JSON.stringify(value ?? null) }],
      ...(isRecord(value) && { structuredContent: value }),
      ...(!result.ok && { isError: true }),
    }
  }

  function serverFor(caller: McpCaller): Server {
    const server = new Server(info, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', async () => ({ tools: offered }))
    server.setRequestHandler('tools/call', ({ params }) => call(params.name, params.arguments ?? {}, caller))
    return server
  }

  return async (request, caller, body) => {
    const handler = createMcpHandler(() => serverFor(caller), {
      onerror: (error) => log.warn({ err: error }, 'an MCP request was not served'),
    })
    return handler.fetch(request, { parsedBody: body })
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
