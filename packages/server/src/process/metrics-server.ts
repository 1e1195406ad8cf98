import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isHostAnswered } from '../http/answered-hosts.ts'
import { mergeMetrics } from './merge-metrics.ts'

/** The media type of the Prometheus text exposition. */
const exposition = 'text/plain; version=0.0.4; charset=utf-8'
const connectionsMax = 64

/**
 * Where metrics are served. `answeredHosts`: beside the names of loopback, the only host names that are answered, in development; any name is
 * where it is absent.
 */
export type MetricsAddress = { host: string; port: number; answeredHosts?: readonly string[] }

/** The port of the metrics cannot be listened on. */
export class MetricsPortError extends Error {
  override readonly name = 'MetricsPortError'
}

/**
 * Serves `GET /metrics` and nothing else, at an address of its own: `texts` are the expositions of all processes. Throws
 * `MetricsPortError` where the address cannot be had.
 */
export async function serveMetrics(
  { host, port, answeredHosts }: MetricsAddress,
  texts: () => Promise<readonly string[]>,
): Promise<{ close(): void }> {
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    if (!isAnswered(request, answeredHosts)) response.writeHead(403, { 'content-length': 0 }).end()
    else answer(request, response, texts).catch(() => response.destroy())
  })
  server.maxConnections = connectionsMax
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) =>
      reject(new MetricsPortError(`METRICS_HOST and METRICS_PORT cannot be listened on (${message}).`)),
    )
    server.listen(port, host, resolve)
  })
  // From then on an error is of one connection (no file descriptor left), and the next is accepted again.
  server.on('error', () => {})
  return {
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function isAnswered({ headers }: IncomingMessage, hosts: readonly string[] | undefined): boolean {
  return hosts === undefined || isHostAnswered(headers.host, hosts)
}

async function answer(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  texts: () => Promise<readonly string[]>,
): Promise<void> {
  const [path] = (url ?? '').split('?')
  const isRead = method === 'GET' || method === 'HEAD'
  if (path !== '/metrics' || !isRead) {
    response.writeHead(path === '/metrics' ? 405 : 404, { 'content-length': 0 }).end()
    return
  }
  const text = mergeMetrics(await texts())
  response
    .writeHead(200, {
      'content-type': exposition,
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .end(method === 'HEAD' ? undefined : text)
}
