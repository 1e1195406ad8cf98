import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server on a loopback port, and what ends it with its connections. */
export type LoopbackServer = { url: string; stop(): Promise<void> }

/** Starts one that hands each request over with its whole body; a handler that rejects cuts the connection. */
export async function loopbackServer(
  handle: (request: IncomingMessage, body: Buffer, response: ServerResponse) => void,
): Promise<LoopbackServer> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    handle(request, Buffer.concat(chunks), response)
  }
  const server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
