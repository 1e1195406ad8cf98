import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext } from 'playwright-core'

/** What is served under a path: a page, or something else with its media type. */
export type Served = string | { body: string | Uint8Array; type: string; headers?: Record<string, string> }

/** A customer's web server: one port, any host name that is loopback for a browser (`shop.localhost`, `127.0.0.1`). */
export type Pages = {
  port: number
  /** `http://<host>:<port>`. */
  origin(host?: string): string
  /** Host and path of every request that came. */
  requests: string[]
  /** Serves something at a path of every host. */
  serve(path: string, served: Served): void
  close(): Promise<void>
}

/** An empty page with a favicon, so that nothing else is asked for. */
export const blankPage = pageWith('')

/** A page of that body. */
export function pageWith(body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`
}

/** Starts a web server on loopback. `/` is a blank page until something else is served there. */
export async function startPages(): Promise<Pages> {
  const served = new Map<string, Served>([['/', blankPage]])
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.headers.host}${request.url}`)
    const found = served.get(URL.parse(request.url ?? '/', 'http://any')?.pathname ?? '/')
    if (found === undefined) return void response.writeHead(404, { 'content-type': 'text/plain' }).end()
    const { body, type, headers } = asDocument(found)
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store', ...headers }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    requests,
    origin: (host = 'shop.localhost') => `http://${host}:${port}`,
    serve: (path, content) => void served.set(path, content),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Answers every request to an origin that nobody really serves (https, other ports, look-alikes) with one document. */
export async function servePretended(
  context: BrowserContext,
  origin: string,
  content: Served = blankPage,
): Promise<void> {
  const { body, type, headers } = asDocument(content)
  await context.route(
    (url) => url.origin === origin,
    (route) => route.fulfill({ body: Buffer.from(body), contentType: type, headers: headers ?? {} }),
  )
}

function asDocument(content: Served) {
  return typeof content === 'string'
    ? { body: content, type: 'text/html; charset=utf-8', headers: {} }
    : content
}
