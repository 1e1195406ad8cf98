import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a scripted node does with a call: answers a result, or whatever the function makes of the bare response. */
export type Script = (
  call: { id: number; method: string; params: unknown[] },
  response: ServerResponse,
) => unknown

/** A server on a loopback port that answers JSON-RPC as scripted. */
export type ScriptedNode = {
  url: string
  /** Methods in the order of their calls. */
  methods: string[]
  params: unknown[][]
  connections(): number
  stop(): Promise<void>
}

/** Marks that the script has answered, or never will, by itself. */
export const handled = Symbol('handled')

/** Ends the connection instead of an answer. */
export const cut: Script = (_, response) => {
  response.destroy()
  return handled
}

/** An error object as the answer. */
export const refusal = (code: number, message: string, data?: unknown) => ({ error: { code, message, data } })

/** Serves a script; `eth_chainId` is 31337 unless the script says otherwise. */
export async function scriptedNode(script: Script): Promise<ScriptedNode> {
  const methods: string[] = []
  const params: unknown[][] = []
  let connections = 0
  const server = createServer((request, response) => void answer(request, response))
  server.on('connection', () => {
    connections += 1
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const call = JSON.parse(Buffer.concat(chunks).toString()) as {
      id: number
      method: string
      params: unknown[]
    }
    methods.push(call.method)
    params.push(call.params)
    let result = script(call, response)
    if (result === handled) return
    if (result === undefined && call.method === 'eth_chainId') result = '0x7a69'
    const isRefusal = typeof result === 'object' && result !== null && 'error' in result
    const body = isRefusal ? result : { result: result ?? null }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...(body as object) }))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    methods,
    params,
    connections: () => connections,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
