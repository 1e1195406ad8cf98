import { createHmac, createPublicKey, type JsonWebKey, timingSafeEqual, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One call as the receiver got it. */
export type ReceivedCall = {
  id: string
  timestamp: number
  signatures: string[]
  contentType: string | undefined
  body: string
  type: string
  /** The message's own time, ISO 8601. */
  at: string
  data: Record<string, unknown>
}

/** How the receiver treats a call; `undefined` leaves it to the honest one, which keeps shares by wallet and version. */
export type Behaviour = (call: ReceivedCall, response: ServerResponse) => boolean | undefined

/** A customer's recovery webhook: keeps shares, gives them back, and notes everything. */
export type WebhookReceiver = {
  url: string
  calls: ReceivedCall[]
  /** Shares by `wallet/version`, as base64. */
  shares: Map<string, string>
  behave(behaviour: Behaviour | undefined): void
  callsOf(type: string): ReceivedCall[]
  close(): Promise<void>
}

/** Starts a receiver on loopback. It believes everybody; what it got is verified by `verifyCall`. */
export async function startWebhookReceiver(port = 0): Promise<WebhookReceiver> {
  const calls: ReceivedCall[] = []
  const shares = new Map<string, string>()
  let behaviour: Behaviour | undefined

  async function receive(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const call = callOf(request, Buffer.concat(chunks).toString('utf8'))
    calls.push(call)
    if (behaviour?.(call, response) === true) return
    const { data } = call
    const key = `${data['wallet_id']}/${data['polynomial_version']}`
    if (call.type === 'recovery_share.store') shares.set(key, String(data['recovery_share']))
    if (call.type !== 'recovery_share.fetch') return void response.writeHead(204).end()
    const share = shares.get(key)
    if (share === undefined) return void response.writeHead(404).end()
    answerShare(response, share, data['polynomial_version'])
  }

  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/recovery`,
    calls,
    shares,
    behave(next) {
      behaviour = next
    },
    callsOf: (type) => calls.filter((call) => call.type === type),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Answers a fetch as documented; the default index is the share's own. */
export function answerShare(
  response: ServerResponse,
  share: string,
  version: unknown,
  index: unknown = Buffer.from(share, 'base64').at(-1),
): void {
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ recovery_share: share, share_index: index, polynomial_version: version }))
}

/** Answers with a status, and a body if any. */
export function answerPlainly(response: ServerResponse, status: number, body = ''): true {
  response.writeHead(status).end(body)
  return true
}

function callOf(request: IncomingMessage, body: string): ReceivedCall {
  const { headers } = request
  const message = JSON.parse(body) as { type: string; timestamp: string; data: Record<string, unknown> }
  return {
    id: String(headers['webhook-id']),
    timestamp: Number(headers['webhook-timestamp']),
    signatures: String(headers['webhook-signature']).split(' '),
    contentType: headers['content-type'],
    body,
    type: message.type,
    at: message.timestamp,
    data: message.data,
  }
}

const toleranceSeconds = 5 * 60

/** Whether the call verifies by the secret (Standard Webhooks, `v1`), and is of now. */
export function isSignedBy(secret: string, { id, timestamp, body, signatures }: ReceivedCall): boolean {
  if (Math.abs(Date.now() / 1000 - timestamp) > toleranceSeconds) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return signatures
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}

/** Whether the call verifies by one of the platform's published keys (`v1a`, Ed25519). */
export function isSignedByKey(keys: readonly JsonWebKey[], call: ReceivedCall): boolean {
  const { id, timestamp, body, signatures } = call
  const content = Buffer.from(`${id}.${timestamp}.${body}`)
  return signatures
    .filter((signature) => signature.startsWith('v1a,'))
    .map((signature) => Buffer.from(signature.slice('v1a,'.length), 'base64'))
    .some((given) =>
      keys.some((key) => verify(null, content, createPublicKey({ key, format: 'jwk' }), given)),
    )
}
