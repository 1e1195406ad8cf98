import * as z from 'zod'
import type { Model, ModelMessage } from '../../ports/model.ts'
import type { Outbound } from '../../ports/outbound.ts'
import { postJson } from './post-json.ts'

const Answer = z.object({
  content: z.array(
    z.union([
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({
        type: z.literal('tool_use'),
        id: z.string(),
        name: z.string(),
        input: z.record(z.string(), z.unknown()),
      }),
      // Thoughts, and kinds of content that do not exist yet.
      z.object({ type: z.string() }).transform(() => null),
    ]),
  ),
})

const version = '2023-06-01'
const tokensMax = 4_096

/** A model behind the messages API of Anthropic, or one that speaks it; `url` is what `/messages` follows. */
export function anthropicMessages(options: {
  url: string
  model: string
  apiKey: string | undefined
  outbound: Outbound
}): Model {
  const { url, model, apiKey, outbound } = options
  return async ({ system, messages, tools }) => {
    const body = {
      model,
      max_tokens: tokensMax,
      system,
      messages: messages.map(wire),
      tools: tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: inputSchema,
      })),
    }
    const headers = { 'anthropic-version': version, ...(apiKey !== undefined && { 'x-api-key': apiKey }) }
    const { content } = await postJson(outbound, { url: `${url}/messages`, headers, body }, Answer)
    const blocks = content.filter((block) => block !== null)
    return {
      text: blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      calls: blocks.flatMap((block) =>
        block.type === 'tool_use' ? [{ id: block.id, tool: block.name, arguments: block.input }] : [],
      ),
    }
  }
}

function wire(message: ModelMessage): object {
  if (message.role === 'user') return { role: 'user', content: message.text }
  if (message.role === 'tool') {
    const content = message.results.map(({ id, text, isError }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: text,
      is_error: isError,
    }))
    return { role: 'user', content }
  }
  const said = message.text === '' ? [] : [{ type: 'text', text: message.text }]
  const wanted = message.calls.map(({ id, tool, arguments: input }) => ({
    type: 'tool_use',
    id,
    name: tool,
    input,
  }))
  return { role: 'assistant', content: [...said, ...wanted] }
}
