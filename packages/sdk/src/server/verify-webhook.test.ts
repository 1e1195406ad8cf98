import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nodeListener } from './node-listener.ts'
import { platformKeys } from './platform-keys.ts'
import { verifyWebhook } from './verify-webhook.ts'

const secretBytes = Buffer.alloc(32, 9)
const secret = `whsec_${secretBytes.toString('base64')}`
const nowMs = 1_800_000_000_000
const body = JSON.stringify({ type: 'ping', timestamp: '2027-01-15T08:00:00.000Z', data: { n: 'ü' } })

function headersOf(signature: (signed: string) => string, { id = 'msg_1', seconds = nowMs / 1000 } = {}) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signature(`${id}.${seconds}.${body}`),
  }
}

const mac = (signed: string, key = secretBytes) =>
  `v1,${createHmac('sha256', key).update(signed).digest('base64')}`

test('the published example of Standard Webhooks verifies', async () => {
  const example = {
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    secrets: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    nowMs: 1_614_265_330_000,
  }
  // It is signed well, and no message of ours.
  const { error } = await verifyWebhook({ ...example, body: '{"test": 2432232314}' })
  expect(error?.code).toBe('invalid_message')
  const changed = await verifyWebhook({ ...example, body: '{"test": 2432232315}' })
  expect(changed.error?.code).toBe('invalid_signature')
})

test('one valid signature of several is enough, by any of the secrets, from any kind of headers', async () => {
  const headers = headersOf((signed) => `v1,AAAA ${mac(signed, Buffer.alloc(32, 1))} v9,x ${mac(signed)}`)
  const other = `whsec_${Buffer.alloc(24, 3).toString('base64')}`
  for (const given of [
    headers,
    new Headers(headers),
    { ...headers, 'webhook-id': [headers['webhook-id']] },
  ]) {
    const { data } = await verifyWebhook({ headers: given, body, secrets: [other, secret], nowMs })
    expect(data).toEqual({
      id: 'msg_1',
      sentAtMs: nowMs,
      type: 'ping',
      timestamp: '2027-01-15T08:00:00.000Z',
      data: { n: 'ü' },
    })
  }
  expect((await verifyWebhook({ headers, body, secrets: other, nowMs })).error?.code).toBe(
    'invalid_signature',
  )
})

test('the platform’s published key verifies, another one does not, and without the key set nothing verifies', async () => {
  const [own, foreign] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')]
  let asked = 0
  const keysOf = (pair: typeof own, isUp = true) =>
    platformKeys({
      baseUrl: 'https://wallets.example.test/',
      nowMs: () => nowMs,
      fetch: async (url) => {
        asked++
        expect(String(url)).toBe('https://wallets.example.test/.well-known/jwks.json')
        const jwk = pair.publicKey.export({ format: 'jwk' })
        return Response.json({ keys: [{ kty: 'EC', crv: 'P-256' }, jwk] }, { status: isUp ? 200 : 503 })
      },
    })
  const headers = headersOf(
    (signed) => `v1a,${sign(null, Buffer.from(signed), own.privateKey).toString('base64')}`,
  )
  const keys = keysOf(own)
  for (let i = 0; i < 3; i++) expect((await verifyWebhook({ headers, body, keys, nowMs })).error).toBeNull()
  expect(asked).toBe(1)
  expect((await verifyWebhook({ headers, body, keys: keysOf(foreign), nowMs })).error?.code).toBe(
    'invalid_signature',
  )
  await expect(verifyWebhook({ headers, body, keys: keysOf(own, false), nowMs })).rejects.toThrow('503')
})

test('the time of sending is signed, and counts to the second', async () => {
  const at = (seconds: number) =>
    verifyWebhook({ headers: headersOf(mac, { seconds }), body, secrets: secret, nowMs })
  for (const aside of [-300, 0, 300]) expect((await at(nowMs / 1000 + aside)).error).toBeNull()
  for (const aside of [-301, 301])
    expect((await at(nowMs / 1000 + aside)).error?.code).toBe('timestamp_out_of_range')
  const moved = { ...headersOf(mac), 'webhook-timestamp': String(nowMs / 1000 + 1) }
  expect((await verifyWebhook({ headers: moved, body, secrets: secret, nowMs })).error?.code).toBe(
    'invalid_signature',
  )
})

test('only signed headers pass, and none makes the check throw', async () => {
  const text = fc.string({ unit: 'binary' })
  await fc.assert(
    fc.asyncProperty(text, text, text, async (id, seconds, signature) => {
      const headers = { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature }
      const { error } = await verifyWebhook({ headers, body, secrets: secret, nowMs })
      expect(error?.code).toBe('invalid_signature')
    }),
  )
  const many = headersOf((signed) => `${'v1,AAAA '.repeat(40)}${mac(signed)}`)
  expect((await verifyWebhook({ headers: many, body, secrets: secret, nowMs })).error?.code).toBe(
    'invalid_signature',
  )
  expect((await verifyWebhook({ headers: {}, body, secrets: secret, nowMs })).error?.code).toBe(
    'invalid_signature',
  )
})

test('no secret, an empty one and a malformed one are mistakes of the program, not of the call', async () => {
  const headers = headersOf(mac)
  for (const secrets of [[], '', 'whsec_', 'whsec_AAAA', secret.slice(6), `${secret}!`])
    await expect(verifyWebhook({ headers, body, secrets, nowMs })).rejects.toThrow(TypeError)
})

test('over Node’s http a request that cannot be one is never answered as well done', async () => {
  const seen: string[] = []
  const listener = nodeListener(async (request) => {
    seen.push(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`)
    return Response.json({ ok: true }, { status: 201, headers: { 'x-own': 'yes' } })
  })
  const server = createServer((request, response) => void listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const answer = await fetch(`${url}/a?b=c`, { method: 'POST', body: 'ü' })
    expect([answer.status, answer.headers.get('x-own'), await answer.json()]).toEqual([
      201,
      'yes',
      { ok: true },
    ])
    expect((await fetch(`${url}/`)).status).toBe(201)
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(65_537) })).status).toBe(413)
    expect(seen).toEqual(['POST /a ü', 'GET / '])
    const failing = nodeListener(() => Promise.reject(new Error('broken')))
    const statusOf = async (listen: typeof listener, incoming: Parameters<typeof listener>[0]) => {
      const statuses: number[] = []
      await listen(incoming, { writeHead: (status) => statuses.push(status), end: () => undefined })
      return statuses
    }
    const odd = { method: 'TRACE', url: '/', headers: {}, async *[Symbol.asyncIterator]() {} }
    expect(await statusOf(listener, odd)).toEqual([400])
    expect(await statusOf(failing, { ...odd, method: 'GET' })).toEqual([500])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
