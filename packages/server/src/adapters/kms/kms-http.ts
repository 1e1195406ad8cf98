import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { wipe } from '@symbolon/crypto'

/** One call of a key service's HTTP interface. The body is JSON, or its bytes, which the caller wipes. */
export type KmsHttpCall = {
  method: 'GET' | 'POST'
  url: string
  headers: Readonly<Record<string, string>>
  body?: object | Uint8Array
  signal: AbortSignal
}

/** The status, and the body's bytes, which may hold a data key: `wipe` them. */
export type KmsHttpAnswer = { status: number; body: Uint8Array }

/** Calls a key service. Rejects when it is out of reach; redirects are answers, never followed. */
export type KmsHttp = (call: KmsHttpCall) => Promise<KmsHttpAnswer>

const answerMaxBytes = 64 * 1024
const socketsMax = 64

/**
 * The client of key services that speak JSON over HTTPS, on connections that stay open. The operator names the address, so it may be a
 * private one. `ca` holds the PEM certificates to trust instead of Node's own. What it has read stays in no buffer but the answer's.
 */
export function kmsHttp({ ca }: { ca: string | undefined }): KmsHttp {
  const secure = new HttpsAgent({ keepAlive: true, maxSockets: socketsMax, ...(ca !== undefined && { ca }) })
  const plain = new HttpAgent({ keepAlive: true, maxSockets: socketsMax })
  return ({ method, url, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const isPlain = url.startsWith('http:')
      const content = bytesOf(body)
      const request = (isPlain ? httpRequest : httpsRequest)(url, {
        method,
        headers: {
          'user-agent': 'symbolon',
          accept: 'application/json',
          ...(content !== undefined && {
            'content-type': 'application/json',
            'content-length': content.length,
          }),
          ...headers,
        },
        agent: isPlain ? plain : secure,
        signal,
      })
      request.on('error', reject)
      request.on('response', (response) => {
        read(response).then((bytes) => resolve({ status: response.statusCode ?? 0, body: bytes }), reject)
      })
      request.end(content)
    })
}

function bytesOf(body: object | Uint8Array | undefined): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body
  return Buffer.from(JSON.stringify(body))
}

async function read(response: IncomingMessage): Promise<Uint8Array> {
  const body = new Uint8Array(answerMaxBytes)
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (length + chunk.length > answerMaxBytes) {
      response.destroy()
      wipe(chunk, body)
      throw new Error('The answer of the key service is too large.')
    }
    body.set(chunk, length)
    length += chunk.length
    wipe(chunk)
  }
  return body.subarray(0, length)
}
