import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the model says: calls of tools, a text, or a status that is not an answer. */
export type ModelReply = { calls?: { tool: string; arguments: object }[]; text?: string; status?: number }

/** A question as it came. */
export type ModelRequest = { path: string; headers: IncomingHttpHeaders; body: Record<string, unknown> }

/** A server that speaks the API of OpenAI or Anthropic and says what its script says, in order. */
export type ScriptedModel = {
  url: string
  requests: ModelRequest[]
  /** Its next answers; after the last one it finishes. */
  says(...replies: ModelReply[]): void
  stop(): Promise<void>
}

/** Starts the server on a loopback port. */
export async function startScriptedModel(kind: 'openai' | 'anthropic'): Promise<ScriptedModel> {
  const requests: ModelRequest[] = []
  let script: ModelReply[] = []
  let calls = 0
  const answer = kind === 'openai' ? openaiAnswer : anthropicAnswer
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>
    requests.push({ path: request.url ?? '', headers: request.headers, body })
    const reply = script.shift() ?? { calls: [{ tool: 'finish', arguments: { result: 'done' } }] }
    const wanted = (reply.calls ?? []).map((call) => ({ ...call, id: `call_${calls++}` }))
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(reply.status === undefined ? answer(reply.text ?? '', wanted) : {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    says(...replies) {
      script = replies
      requests.length = 0
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

type Wanted = { id: string; tool: string; arguments: object }

const openaiAnswer = (content: string, wanted: Wanted[]) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      finish_reason: wanted.length > 0 ? 'tool_calls' : 'stop',
      message: {
        role: 'assistant',
        content: content === '' ? null : content,
        ...(wanted.length > 0 && {
          tool_calls: wanted.map(({ id, tool, arguments: given }) => ({
            id,
            type: 'function',
            function: { name: tool, arguments: JSON.stringify(given) },
          })),
        }),
      },
    },
  ],
})

const anthropicAnswer = (text: string, wanted: Wanted[]) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  stop_reason: wanted.length > 0 ? 'tool_use' : 'end_turn',
  content: [
    { type: 'thinking', thinking: 'hm', signature: 'x' },
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...wanted.map(({ id, tool, arguments: input }) => ({ type: 'tool_use', id, name: tool, input })),
  ],
})
