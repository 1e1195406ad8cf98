/** The used part of Node's `IncomingMessage`. */
export type NodeRequest = AsyncIterable<Uint8Array> & {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** The used part of Node's `ServerResponse`. */
export type NodeResponse = {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(body?: Uint8Array): unknown
}

const bodyBytesMax = 65_536

/**
 * Serves a Fetch handler, such as a recovery receiver, with Node's `http` (`createServer(nodeListener(receiver))`) or
 * Express, before any body parser. Bodies over 64 KiB are answered 413.
 */
export function nodeListener(
  handle: (request: Request) => Promise<Response>,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  if (typeof handle !== 'function') throw new TypeError('nodeListener needs a Fetch handler')
  return async (incoming, outgoing) => {
    const send = async (answer: Response) => {
      const body = new Uint8Array(await answer.arrayBuffer())
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers))
      outgoing.end(body)
    }
    let request: Request
    try {
      const body = await readBody(incoming)
      if (body === undefined) return await send(new Response(null, { status: 413 }))
      request = asRequest(incoming, body)
    } catch {
      // A broken connection, or a request that Fetch refuses: never answer with success.
      return await send(new Response(null, { status: 400 }))
    }
    await send(await handle(request).catch(() => new Response(null, { status: 500 })))
  }
}

async function readBody(incoming: NodeRequest): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for await (const part of incoming) {
    length += part.length
    if (length > bodyBytesMax) return undefined
    parts.push(new Uint8Array(part))
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

function asRequest(
  { method = 'GET', url = '/', headers }: NodeRequest,
  body: Uint8Array<ArrayBuffer>,
): Request {
  const taken = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) taken.set(name, Array.isArray(value) ? value.join(', ') : value)
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(new URL(url, 'http://localhost'), { method, headers: taken, ...(hasBody && { body }) })
}
