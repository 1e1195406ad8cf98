import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { type JsonRpc, JsonRpcFailure } from './json-rpc.ts'
import { maskedText } from './masked-text.ts'
import { readJsonRpc } from './read-json-rpc.ts'

const answerMaxBytes = 4 * 1024 * 1024
// An answer to a call that the server understood and refused may come as a bad request; other statuses are the way's fault.
const answeringStatuses: readonly number[] = [200, 400]

/** Connections that are kept for the next call, shared by all servers. */
export type HttpConnections = { http: HttpAgent; https: HttpsAgent; close(): void }

/** Opens connections on first use; `close` closes the idle ones. */
export function httpConnections(): HttpConnections {
  const options = { keepAlive: true, maxSockets: 128, maxFreeSockets: 16, scheduling: 'lifo' as const }
  const [http, https] = [new HttpAgent(options), new HttpsAgent(options)]
  return {
    http,
    https,
    close() {
      http.destroy()
      https.destroy()
    },
  }
}

/**
 * A JSON-RPC 2.0 server behind HTTP(S). One time limit from the call to the last byte, at most 4 MiB of answer, no redirect
 * is followed, and the answer must have our id. Failures and messages never contain the URL, which may hold a key.
 */
export function jsonRpcHttp(server: { url: string; name: string; connections: HttpConnections }): JsonRpc {
  const url = new URL(server.url)
  const mask = maskedText(url)
  const isPlain = url.protocol === 'http:'
  const agent = isPlain ? server.connections.http : server.connections.https
  let lastId = 0

  return {
    name: server.name,
    async call(method, params, { timeoutMs, isFresh = false }) {
      const endsAt = performance.now() + timeoutMs
      const id = ++lastId
      const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      const dial = (agentOrNone: HttpAgent | false): ClientRequest => {
        const options: RequestOptions = {
          method: 'POST',
          headers: {
            'user-agent': 'symbolon',
            accept: 'application/json',
            'accept-encoding': 'identity',
            'content-type': 'application/json',
            'content-length': body.length,
          },
          agent: agentOrNone,
        }
        return isPlain ? httpRequest(url, options) : httpsRequest(url, options)
      }
      const call = dial(isFresh ? false : agent)
      const answer = await answerOf(call, body, endsAt).catch((failure: JsonRpcFailure) => {
        // A kept connection that the server has closed in the meantime says nothing about the server.
        if (failure.code !== 'connection_lost' || !call.reusedSocket) throw failure
        return answerOf(dial(false), body, endsAt)
      })
      return readJsonRpc(answer, id, mask)
    },
  }
}

function answerOf(call: ClientRequest, body: Buffer, endsAt: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let wasSent = false
    const timer = setTimeout(
      () => end(new JsonRpcFailure('timed_out', wasSent)),
      Math.max(0, endsAt - performance.now()),
    )
    const end = (failure: JsonRpcFailure) => {
      clearTimeout(timer)
      reject(failure)
      call.destroy()
    }
    // Until the connection stands, TLS included, the request waits on this side.
    call.on('socket', (socket) => {
      wasSent = !socket.connecting && !('secureConnecting' in socket && socket.secureConnecting === true)
      // A kept connection stands already; listening on it would pile up.
      if (wasSent) return
      socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
        wasSent = true
      })
    })
    call.on('error', (error: NodeJS.ErrnoException) => {
      end(new JsonRpcFailure(wasSent ? 'connection_lost' : 'unreachable', wasSent, error.code))
    })
    call.on('response', (response) => {
      readAnswer(response).then((bytes) => {
        clearTimeout(timer)
        resolve(bytes)
      }, end)
    })
    call.end(body)
  })
}

async function readAnswer(response: IncomingMessage): Promise<Uint8Array> {
  const status = response.statusCode ?? 0
  if (status >= 300 && status < 400) throw new JsonRpcFailure('redirected', true)
  if (!answeringStatuses.includes(status)) {
    throw new JsonRpcFailure('refused_status', true, `HTTP ${status}`)
  }
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > answerMaxBytes) throw new JsonRpcFailure('too_large', true)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof JsonRpcFailure) throw error
    throw new JsonRpcFailure('connection_lost', true)
  }
  return Buffer.concat(chunks)
}
