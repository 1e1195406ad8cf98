import { messageBytesMax } from '../protocol/messages.ts'

/** As deep as the API lets a body nest, and the message around it. */
const depthMax = 36

/** A message as plain JSON, or why it is none. */
export type PlainMessage =
  | { readonly isPlain: true; readonly value: unknown }
  | { readonly isPlain: false; readonly code: 'message_too_large' | 'invalid_request' }

const refused = { isPlain: false, code: 'invalid_request' } as const

/**
 * The JSON of what came over the port: nothing of the page's objects lives on in it. What is too large, is no JSON, nests
 * too deep or has a key that JavaScript gives a meaning is told, as the API does with a body.
 */
export function plainMessage(data: unknown): PlainMessage {
  let text: string | undefined
  try {
    text = JSON.stringify(data)
  } catch {
    return refused
  }
  if (text === undefined) return refused
  if (text.length > messageBytesMax || new TextEncoder().encode(text).length > messageBytesMax)
    return { isPlain: false, code: 'message_too_large' }
  const value: unknown = JSON.parse(text)
  return isHarmless(value, depthMax) ? { isPlain: true, value } : refused
}

function isHarmless(value: unknown, depthLeft: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depthLeft === 0) return false
  if (Array.isArray(value)) return value.every((item) => isHarmless(item, depthLeft - 1))
  return Object.entries(value).every(
    ([key, item]) => key !== '__proto__' && key !== 'constructor' && isHarmless(item, depthLeft - 1),
  )
}
