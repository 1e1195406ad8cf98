import { isUtf8 } from 'node:buffer'
import { ApiError } from '@symbolon/api'

const depthMax = 32
/** What a body of 256 KiB has at most whose values are 16 bytes long. */
const nodesMax = 16_384
const quote = 0x22
const backslash = 0x5c
const comma = 0x2c

/**
 * Parses a request body. Refuses (400 `invalid_request`) a body that is not UTF-8 or JSON, nests deeper than 32, has more than 16,384
 * values, or has a key `__proto__` or `constructor`. Of duplicate keys the last one wins, as JSON.parse has it. `check` sees the value
 * before its keys are looked at, and throws to refuse it.
 */
export function parseJsonBody(body: Buffer, check?: (value: unknown) => void): unknown {
  if (!isUtf8(body)) throw refused('The body is not valid UTF-8.')
  checkShape(body)
  const text = body.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refused('The body is not valid JSON.')
  }
  check?.(value)
  // Keys can only be dangerous when the text spells them out or hides them behind an escape.
  if (/__proto__|constructor|\\u/.test(text) && hasDangerousKey(value)) {
    throw refused('The body has a key __proto__ or constructor, which is not allowed.')
  }
  return value
}

/** The value of a body that a route reads itself, or why `parseJsonBody` refuses it; `isJson`: it is JSON with refused content. */
export type JsonBody =
  | { value: unknown; refusal?: never }
  | { value?: never; refusal: { isJson: boolean; message: string } }

/** Reads such a body. */
export function readJsonBody(body: Uint8Array): JsonBody {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  try {
    return { value: parseJsonBody(bytes) }
  } catch (error) {
    if (isJson(bytes) && error instanceof ApiError)
      return { refusal: { isJson: true, message: error.message } }
    return { refusal: { isJson: false, message: 'The body is not valid JSON.' } }
  }
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString('utf8'))
    return isUtf8(body)
  } catch {
    return false
  }
}

function refused(message: string) {
  return new ApiError('invalid_request', { message })
}

/** Counts brackets and commas outside strings; on malformed JSON the answer does not matter, the parser refuses it. */
function checkShape(body: Buffer): void {
  let depth = 0
  let nodes = 1
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]
    if (byte === quote) {
      for (i++; i < body.length && body[i] !== quote; i++) if (body[i] === backslash) i++
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > depthMax) throw refused(`The body nests deeper than ${depthMax} levels.`)
      nodes++
    } else if (byte === 0x7d || byte === 0x5d) depth--
    else if (byte === comma) nodes++
  }
  if (nodes > nodesMax) throw refused(`The body has more than ${nodesMax} values.`)
}

function hasDangerousKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasDangerousKey)
  return Object.entries(value).some(
    ([key, inner]) => key === '__proto__' || key === 'constructor' || hasDangerousKey(inner),
  )
}
