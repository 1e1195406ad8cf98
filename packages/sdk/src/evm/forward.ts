import { ProviderRpcError, providerCodes, unsupported } from './provider-error.ts'

/** Hands reads on to the page's own nodes. */
export type Forward = {
  /** Whether a node of the chain is configured. */
  reaches(handle: string): boolean
  /** The node's result; its error as it is, as far as it is text; 4200 without a node, 4900 when it does not answer. */
  call(handle: string, method: string, params: unknown): Promise<unknown>
}

type Answer = { result?: unknown; error?: { code?: unknown; message?: unknown; data?: unknown } }

const limitMs = 30_000

/** JSON-RPC over HTTP to the node of each chain handle. */
export function forward(rpcUrls: Readonly<Record<string, string>>, send: typeof fetch): Forward {
  let lastId = 0
  return {
    reaches: (handle) => Object.hasOwn(rpcUrls, handle),
    async call(handle, method, params) {
      const url = Object.hasOwn(rpcUrls, handle) ? rpcUrls[handle] : undefined
      if (url === undefined) throw unsupported(method, `no rpcUrls.${handle} is configured`)
      const answer = await post(
        url,
        { jsonrpc: '2.0', id: ++lastId, method, params: params ?? [] },
        send,
        handle,
      )
      if (answer.error !== undefined) {
        const { code, message, data } = answer.error
        throw new ProviderRpcError(
          typeof code === 'number' ? code : providerCodes.internal,
          typeof message === 'string' ? printable(message) : refused,
          data,
        )
      }
      return answer.result ?? null
    },
  }
}

const refused = 'The node refused the call.'

/** A node's message; of one with bytes that are no text, as some nodes show what a contract returned, what stands before them. */
function printable(message: string): string {
  if (!/[^\P{Cc}\n\t]|\ufffd/u.test(message)) return message
  return /^[^\p{Cc}\ufffd]+?(?=: )/u.exec(message)?.[0] ?? refused
}

async function post(url: string, body: object, send: typeof fetch, handle: string): Promise<Answer> {
  try {
    const response = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      credentials: 'omit',
      signal: AbortSignal.timeout(limitMs),
    })
    const answer: unknown = await response.json()
    if (typeof answer === 'object' && answer !== null && ('result' in answer || 'error' in answer))
      return answer as Answer
  } catch {
    // Reported below as one error: no node answered.
  }
  throw new ProviderRpcError(
    providerCodes.disconnected,
    `The node of this chain does not answer: check rpcUrls.${handle}.`,
  )
}
