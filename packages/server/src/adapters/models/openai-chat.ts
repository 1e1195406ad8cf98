import * as z from 'zod'
import type { Model, ModelMessage } from '../../ports/model.ts'
import type { Outbound } from '../../ports/outbound.ts'
import { postJson } from './post-json.ts'

const Answer = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }),
            )
            .nullish(),
        }),
      }),
    )
    .min(1),
})

/** A model behind the chat completions API of OpenAI, or one that speaks it; `url` is what `/chat/completions` follows. */
export function openaiChat(options: {
  url: string
  model: string
  apiKey: string | undefined
  outbound: Outbound
}): Model {
  const { url, model, apiKey, outbound } = options
  return async ({ system, messages, tools }) => {
    const body = {
      model,
      messages: [{ role: 'system', content: system }, ...messages.flatMap(wire)],
      tools: tools.map(({ name, description, inputSchema: parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    }
    const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
    const { choices } = await postJson(outbound, { url: `${url}/chat/completions`, headers, body }, Answer)
    const { content, tool_calls } = choices[0]?.message ?? {}
    const calls = (tool_calls ?? []).map(({ id, function: { name, arguments: text } }) => ({
      id,
      tool: name,
      arguments: argumentsOf(text),
    }))
    return { text: content ?? '', calls }
  }
}

function wire(message: ModelMessage): object[] {
  if (message.role === 'user') return [{ role: 'user', content: message.text }]
  if (message.role === 'tool')
    return message.results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }))
  const tool_calls = message.calls.map(({ id, tool, arguments: given }) => ({
    id,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(given) },
  }))
  return [{ role: 'assistant', content: message.text, ...(tool_calls.length > 0 && { tool_calls }) }]
}

/** Arguments that are not a JSON object fit no tool: the model gets an error and may try again. */
function argumentsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {}
  return { unreadable: text }
}
