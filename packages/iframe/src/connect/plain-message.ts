import { messageBytesMax } from '../protocol/messages.ts'

/** As deep as the API lets a body nest, and the message around it. */
const depthMax = 36

/** A message as plain JSON, or the reason it is not. */
export type PlainMessage =
  | { readonly isPlain: true; readonly value: unknown }
  | { readonly isPlain: false; readonly code: 'message_too_large' | 'invalid_request' }

const refused = { isPlain: false, code: 'invalid_request' } as const

/**
 * The JSON of a message from the port, without references to the page's objects. One that is too large, is not JSON, nests
 * too deep or has a key with a meaning in JavaScript is refused, as in a body of the API.
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
