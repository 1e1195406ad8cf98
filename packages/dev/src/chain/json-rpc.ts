import { Agent, request } from 'node:http'

/** A refusal by the node: its code, message and data as they came. */
export class JsonRpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message)
    this.name = 'JsonRpcError'
    this.code = code
    this.data = data
  }
}

/** Calls one JSON-RPC server. Throws `JsonRpcError` for a refusal, any other error when there is no answer. */
export type JsonRpc = {
  call<result = unknown>(method: string, params?: readonly unknown[]): Promise<result>
  close(): void
}

const withinMs = 10_000

/** A client over kept connections by node:http, whose import costs the start nothing, unlike fetch. */
export function jsonRpc(url: string): JsonRpc {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  return {
    call: <result>(method: string, params: readonly unknown[] = []) =>
      post(url, agent, { jsonrpc: '2.0', id: 1, method, params }).then((answer) => {
        const { result, error } = answer as { result: result; error?: { code: number; message: string } }
        if (error !== undefined) throw new JsonRpcError(error)
        return result
      }),
    close: () => agent.destroy(),
  }
}

function post(url: string, agent: Agent, body: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      { method: 'POST', agent, timeout: withinMs, headers: { 'content-type': 'application/json' } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          try {
            resolve(JSON.parse(Buffer.concat(chunks).toString()))
          } catch (error) {
            reject(error)
          }
        })
      },
    )
    call.on('timeout', () => call.destroy(new Error(`${url} did not answer in time`)))
    call.on('error', reject)
    call.end(JSON.stringify(body))
  })
}
