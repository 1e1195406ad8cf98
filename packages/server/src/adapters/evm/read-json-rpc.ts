import { type JsonRpcAnswer, JsonRpcFailure } from './json-rpc.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads a JSON-RPC 2.0 answer to request `id`; anything else is a `malformed` failure. */
export function readJsonRpc(body: Uint8Array, id: number, mask: (text: string) => string): JsonRpcAnswer {
  const answer = parse(body)
  if (!isRecord(answer) || answer['jsonrpc'] !== '2.0' || answer['id'] !== id) throw malformed()
  const { result, error } = answer
  // Some servers send both members, one of them null.
  if (error === undefined || error === null) {
    if (result === undefined) throw malformed()
    return { result }
  }
  if (result !== undefined && result !== null) throw malformed()
  if (!isRecord(error)) throw malformed()
  const { code, message, data } = error
  if (typeof code !== 'number' || !Number.isSafeInteger(code)) throw malformed()
  return { error: { code, message: typeof message === 'string' ? mask(message) : '', data } }
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    throw malformed()
  }
}

const malformed = () => new JsonRpcFailure('malformed', true)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
