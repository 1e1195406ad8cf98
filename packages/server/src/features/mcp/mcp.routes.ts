import { callAgentTools } from '@symbolon/api'
import type { Sql } from '../../db/pool.ts'
import { type FreeAnswer, onFree } from '../../http/free-route.ts'
import { readJsonBody } from '../../http/json-body.ts'
import type { calledAgent } from '../a2a/a2a.routes.ts'
import type { Mcp } from './mcp.ts'

/** The MCP endpoint of agents. `called`: the agent that a caller may talk to, or the refusal. */
export const mcpRoutes = ({
  sql,
  serve,
  called,
  baseUrl,
}: {
  sql: Sql
  serve: Mcp
  called: typeof calledAgent
  baseUrl: string
}) => [
  onFree(callAgentTools, async ({ params, caller, fail, rawBody, headers, signal, request }) => {
    const agent = await called(sql, params.agentID, caller, fail)
    const body = readJsonBody(rawBody)
    if (body === undefined) return unreadable
    const web = new Request(new URL(request.url, baseUrl), {
      method: 'POST',
      headers: webHeaders(headers),
      body: JSON.stringify(body),
      signal,
    })
    return freeAnswer(
      await serve(
        web,
        { organization: caller.organization, agentId: agent.id, session: caller.session },
        body,
      ),
    )
  }),
]

const unreadable: FreeAnswer = {
  status: 400,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32700, message: 'The body is not valid JSON.' },
  }),
}

function webHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const made = new Headers()
  // The credential stays with us.
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && name !== 'authorization' && name !== 'cookie') made.set(name, value)
  return made
}

async function freeAnswer(response: Response): Promise<FreeAnswer> {
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
