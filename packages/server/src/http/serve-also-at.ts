import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Accepts connections at a further port, with the same limits and the same end as those of the service's own. Call it once the service is
 * ready, and before it closes `close()` what this returns.
 */
export async function serveAlsoAt(
  http: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<{ close(): Promise<void> }> {
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    http.server.emit('connection', socket),
  )
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen({ host, port, backlog: 1_024 }, resolve)
  })
  // From then on an error is of one connection, and the next is accepted again.
  listener.on('error', () => {})
  return { close: () => new Promise((resolve) => listener.close(() => resolve())) }
}
