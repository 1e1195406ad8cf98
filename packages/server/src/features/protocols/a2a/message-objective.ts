import type { Message, Part } from '@a2a-js/sdk'
import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors'
import { isStorable } from '../../../db/is-storable.ts'

/** A message's objective: text, a call of one tool, or both. */
export type MessageObjective = {
  text: string
  call?: { tool: string; arguments: Readonly<Record<string, unknown>> }
}

const textBytesMax = 64 * 1024

/**
 * Reads a message: its texts are the objective, a part of data `{tool, arguments}` is a call. Throws A2A errors: for files, which an agent
 * cannot use (-32005), and for a message with neither text nor call (-32602).
 */
export function messageObjective({ parts }: Message): MessageObjective {
  const texts: string[] = []
  let call: MessageObjective['call']
  for (const part of parts) {
    const data = dataIn(part)
    // It would be stored, and signed, as something else.
    if (!isStorable(data) || (part.content?.$case === 'text' && !isStorable(part.content.value)))
      throw malformed('The text contains U+0000 or a lone surrogate.')
    const found = data === undefined ? undefined : toolCallIn(data)
    if (found !== undefined) {
      if (call !== undefined) throw malformed('A message can call only one tool.')
      call = found
    } else if (part.content?.$case === 'text') texts.push(part.content.value)
    else if (data !== undefined) texts.push(JSON.stringify(data))
    else throw new ContentTypeNotSupportedError({ message: 'Only text and data parts are supported.' })
  }
  const text = texts.join('\n').trim()
  if (text === '' && call === undefined) throw malformed('The message has neither text nor a tool call.')
  if (Buffer.byteLength(text) > textBytesMax) throw malformed('The text is too long.')
  return { text, ...(call && { call }) }
}

/** A message as the answer to a question: its text, its call, or both. */
export function answerText(message: Message): string {
  const { text, call } = messageObjective(message)
  return [text, call === undefined ? '' : JSON.stringify(call)].filter((each) => each !== '').join('\n')
}

const malformed = (message: string) => new RequestMalformedError({ message })

/** The value of a part of data, or of a text that says it is JSON. */
function dataIn({ content, mediaType }: Part): unknown {
  if (content?.$case === 'data') return content.value
  if (content?.$case !== 'text' || mediaType !== 'application/json') return undefined
  try {
    return JSON.parse(content.value)
  } catch {
    throw malformed('A JSON part is not valid JSON.')
  }
}

function toolCallIn(data: unknown): MessageObjective['call'] {
  if (typeof data !== 'object' || data === null || !('tool' in data) || typeof data.tool !== 'string')
    return undefined
  const given = 'arguments' in data ? data.arguments : {}
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw malformed('The arguments of a tool must be an object.')
  if (data.tool === '' || data.tool.length > 64) throw malformed('Tool not found.')
  return { tool: data.tool, arguments: given as Record<string, unknown> }
}
