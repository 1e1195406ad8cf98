import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** An answer of the API: `data` and `code` are the envelope's, empty and undefined where there was none. */
export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  data: Record<string, unknown>
  code: string | undefined
  /** How long it took. */
  ms: number
}

export type Call = { method?: string; headers?: Record<string, string>; body?: unknown }

/** Keeps connections to one server. Rejects when a connection fails or nothing comes within `patienceMs`. */
export type HttpClient = {
  readonly url: string
  call(path: string, call?: Call): Promise<Answer>
  close(): void
}

/** Makes a client of its own connections; `patienceMs` is how long a caller would wait at most. */
export function httpClient(url: string, patienceMs = 15_000): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })

  const call: HttpClient['call'] = (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now()
      const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      const outgoing = request(
        `${url}${path}`,
        {
          method,
          agent,
          headers: { ...(sent === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        },
        (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => {
            text += chunk
          })
          response.on('error', reject)
          response.on('end', () => {
            clearTimeout(timer)
            const { statusCode = 0, headers: given } = response
            resolve({
              status: statusCode,
              headers: given,
              text,
              ...envelope(text),
              ms: performance.now() - startedAt,
            })
          })
        },
      )
      const timer = setTimeout(() => outgoing.destroy(new Error(`${method} ${path} hangs`)), patienceMs)
      outgoing.on('error', (error) => {
        clearTimeout(timer)
        reject(error)
      })
      outgoing.end(sent)
    })

  return { url, call, close: () => agent.destroy() }
}

function envelope(text: string): Pick<Answer, 'data' | 'code'> {
  let body: { data?: Record<string, unknown> | null; error?: { code?: string } | null }
  try {
    body = JSON.parse(text)
  } catch {
    body = {}
  }
  return { data: body.data ?? {}, code: body.error?.code }
}
