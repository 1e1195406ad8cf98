import { type LookupAddress, lookup as resolve } from 'node:dns'
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import {
  type GuardedOutbound,
  type OutboundAnswer,
  OutboundError,
  type OutboundRequest,
} from '../ports/outbound.ts'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

const timeoutMaxMs = 15_000
const answerMaxBytes = 64 * 1024

/**
 * The guard that every call to a configured address passes: https only, no redirects, no user info in the URL, and only
 * public addresses, checked on the very address that is dialled. 15 s in all (`timeoutMaxMs`), 64 KiB of answer.
 * `isLoopbackAllowed` (development) adds this machine's own addresses, over http too; nothing else.
 */
export function outboundHttp(options: {
  isLoopbackAllowed: boolean
  resolve?: typeof resolve
  /** For one that takes longer to answer than any webhook may: language models. */
  timeoutMaxMs?: number
}): GuardedOutbound {
  const longestMs = options.timeoutMaxMs ?? timeoutMaxMs
  const isAllowed = (address: string) =>
    isPublicAddress(address) || (options.isLoopbackAllowed && isLoopbackAddress(address))
  const lookup = guardedLookup(options.resolve ?? resolve, isAllowed)

  const call = async (request: OutboundRequest) => {
    const url = readUrl(request.url, isAllowed, options.isLoopbackAllowed)
    const isPlain = url.protocol === 'http:'
    const signal = AbortSignal.timeout(Math.min(request.timeoutMs ?? longestMs, longestMs))
    const dial: RequestOptions = {
      method: request.method ?? 'GET',
      headers: {
        'user-agent': 'symbolon',
        ...request.headers,
        'accept-encoding': 'identity',
        // Node gives the body of a DELETE no length: the other side would read it as the next request.
        ...(request.body !== undefined && { 'content-length': String(request.body.length) }),
      },
      // A new connection: one that was opened for another name must never be reused.
      agent: false,
      lookup,
      signal,
    }
    const dialled = isPlain ? httpRequest(url, dial) : httpsRequest(url, dial)
    try {
      return await answer(
        dialled,
        request,
        (address) => isAllowed(address) && (!isPlain || isLoopbackAddress(address)),
      )
    } catch (error) {
      if (error instanceof OutboundError) throw error
      throw new OutboundError(signal.aborted ? 'timed_out' : 'unreachable', error)
    } finally {
      dialled.destroy()
    }
  }
  const allows = (url: string) => {
    try {
      readUrl(url, isAllowed, options.isLoopbackAllowed)
      return true
    } catch {
      return false
    }
  }
  return Object.assign(call, { allows })
}

function readUrl(text: string, isAllowed: (address: string) => boolean, isLoopbackAllowed: boolean): URL {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') throw new OutboundError('refused')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isAllowed(host)) throw new OutboundError('refused')
  const isLoopback = isLoopbackAddress(host) || host === 'localhost'
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackAllowed && isLoopback)) {
    throw new OutboundError('refused')
  }
  return url
}

/** Resolves a name for the socket and refuses it when any of its addresses is not allowed: no choice is left to chance. */
function guardedLookup(resolveName: typeof resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, { family, hints }, done) => {
    const given = { all: true as const, family: family ?? 0, hints: hints ?? 0 }
    resolveName(hostname, given, (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => {
      if (error !== null) return done(error, [])
      if (addresses.length === 0 || addresses.some(({ address }) => !isAllowed(address))) {
        return done(new OutboundError('refused'), [])
      }
      done(null, addresses)
    })
  }
}

function answer(
  call: ClientRequest,
  request: OutboundRequest,
  isAllowed: (address: string) => boolean,
): Promise<OutboundAnswer> {
  return new Promise((resolveAnswer, reject) => {
    call.on('error', reject)
    // The name was checked when it was resolved; this is the address that the kernel connected to.
    call.on('socket', (socket) => {
      socket.once('connect', () => {
        if (!isAllowed(socket.remoteAddress ?? '')) socket.destroy(new OutboundError('refused'))
      })
    })
    call.on('response', (response) => {
      readAnswer(response).then(resolveAnswer, reject)
    })
    call.end(request.body)
  })
}

async function readAnswer(response: IncomingMessage): Promise<OutboundAnswer> {
  const status = response.statusCode ?? 0
  if (status >= 300 && status < 400) throw new OutboundError('redirected')
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > answerMaxBytes) throw new OutboundError('too_large')
    chunks.push(chunk)
  }
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.headers))
    if (typeof value === 'string') headers[name] = value
  return { status, headers, body: Buffer.concat(chunks) }
}
