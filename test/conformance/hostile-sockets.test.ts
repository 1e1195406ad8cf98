import { makeTenant, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import { openSocket, type RawAnswer, rawRequest, readAnswer } from '@symbolon/testing/http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { internals } from './fixture.ts'

let app: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

const send = (lines: string[], body: string | Uint8Array = '') =>
  rawRequest(
    app.url,
    Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body as string)]),
  )
const get = (headers: string[], target = '/v1/health') =>
  send([`GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers])
const post = (headers: string[], body: string | Uint8Array, target = '/v1/s2s/wallets') =>
  send(
    [
      `POST ${target} HTTP/1.1`,
      'Host: x',
      'Connection: close',
      `Authorization: Bearer ${tenant.sk}`,
      ...headers,
    ],
    body,
  )

function expectRefused({ status, head, body }: RawAnswer, code = 'invalid_request', expected = 400): void {
  const envelope = JSON.parse(body)
  expect([status, envelope.data, envelope.error.code]).toEqual([expected, null, code])
  expect(head).toMatch(/content-type: application\/json; charset=utf-8/i)
  expect(head).toMatch(/x-request-id: [0-9a-f-]{36}/i)
  expect(body).not.toMatch(internals)
}

describe('a header that may appear once', () => {
  test.each([
    ['Host', 'y'],
    ['Authorization', 'Bearer b'],
    ['X-Service-Publishable-Key', 'b'],
    ['Origin', 'https://b.example.test'],
    ['Content-Type', 'application/json'],
    ['Idempotency-Key', 'b'],
  ])('%s is refused twice', async (name, value) => {
    expectRefused(await get([`${name}: ${value}`, `${name.toLowerCase()}: a`]))
    if (name !== 'Host') expectRefused(await get([`${name}: ${value}`, `${name}: ${value}`]))
  })

  test('two lengths, or a length and chunks, are refused before anything is read', async () => {
    expectRefused(
      await post(['Content-Type: application/json', 'Content-Length: 2', 'Content-Length: 3'], '{}'),
    )
    expectRefused(
      await post(
        ['Content-Type: application/json', 'Content-Length: 2', 'Transfer-Encoding: chunked'],
        '0\r\n\r\n',
      ),
    )
    expectRefused(
      await post(['Content-Type: application/json', 'Transfer-Encoding: chunked, identity'], '0\r\n\r\n'),
    )
    expectRefused(await post(['Content-Type: application/json', 'Content-Length: -1'], ''))
    expectRefused(await post(['Content-Type: application/json', 'Content-Length: 2x'], '{}'))
  })
})

describe('a request line', () => {
  test.each([
    ['an absolute target', 'GET http://evil.example.test/v1/health HTTP/1.1'],
    ['an absolute target of our own', 'GET http://x/v1/health HTTP/1.1'],
    ['two slashes', 'GET //evil.example.test/v1/health HTTP/1.1'],
    ['no path', 'GET ?a=1 HTTP/1.1'],
    ['an unknown method', 'BREW /v1/health HTTP/1.1'],
    ['another version', 'GET /v1/health HTTP/9.9'],
    ['no version', 'GET /v1/health'],
    ['rubbish', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an asterisk', 'OPTIONS * HTTP/1.1'],
    ['a space in the target', 'GET /v1/he alth HTTP/1.1'],
  ])('with %s is refused', async (_, line) => {
    expectRefused(await send([line, 'Host: x', 'Connection: close']))
  })

  test('with a broken escape in its path names nothing, nor does one that hides a slash', async () => {
    for (const broken of ['%zz', '%', '%ff', '%c0%af', '%ed%a0%80'])
      for (const path of [
        `/v1/s2s/wallets/${broken}`,
        `/v1/orgs/${tenant.id}/agents/${broken}`,
        `/${broken}`,
      ])
        expectRefused(await get([`Authorization: Bearer ${tenant.sk}`], path), 'not_found', 404)
    for (const path of [
      '/v1/s2s/wallets/..%2f..%2fhealth',
      '/v1/s2s/wallets/%c0%af',
      '/v1/s2s/wallets/%00',
      `/v1/s2s/wallets/${'a'.repeat(5_000)}`,
    ]) {
      const { status, body } = await get([`Authorization: Bearer ${tenant.sk}`], path)
      expect([400, 404]).toContain(status)
      expect(body).not.toMatch(internals)
    }
    expectRefused(await get([], '/v1/../v1/health'), 'not_found', 404)
  })

  test('of a method that nobody serves is 405, also TRACE', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'PATCH']) {
      const answer = await send([`${method} /v1/health HTTP/1.1`, 'Host: x', 'Connection: close'])
      expectRefused(answer, 'method_not_allowed', 405)
      expect(answer.head).toMatch(/allow: GET/i)
    }
  })

  test('asking for a tunnel or another protocol gets neither', async () => {
    const tunnel = await send(['CONNECT evil.example.test:443 HTTP/1.1', 'Host: x'])
    expect([0, 400, 404, 405]).toContain(tunnel.status)
    const upgrade = await get(['Upgrade: websocket', 'Sec-WebSocket-Key: x'])
    expect(upgrade.status).not.toBe(101)
  })
})

describe('headers', () => {
  test('a hundred are fine, one more is refused', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: 1`)
    expect((await get(many(98))).status).toBe(200)
    expectRefused(await get(many(99)))
    expectRefused(await get(many(600)))
  })

  test('of more than 16 KiB are too large, as is such an address, and the answer says which', async () => {
    for (const answer of [
      await get([`X-Long: ${'x'.repeat(20_000)}`]),
      await get([], `/v1/health?${'x'.repeat(20_000)}`),
    ]) {
      expectRefused(answer, 'payload_too_large', 413)
      expect(JSON.parse(answer.body).error.message).toBe("The request's address or headers are too long.")
    }
  })

  test('with an expectation that nobody knows are refused, the one that is known is met', async () => {
    for (const expectation of ['foo', '200-ok', 'x=1; y', 'not-100-continue', '100-continue, foo'])
      expectRefused(await get([`Expect: ${expectation}`]))
    const body = JSON.stringify({ email: `${crypto.randomUUID()}@example.test` })
    const met = await post(
      ['Expect: 100-Continue', 'Content-Type: application/json', `Content-Length: ${body.length}`],
      body,
    )
    expect(met.head + met.body).toMatch(/^HTTP\/1\.1 100 Continue[\s\S]*HTTP\/1\.1 201 Created/)
  })

  test.each(['X-A: \0', 'X-A: a\x0bb', 'X A: 1', ': 1', 'X-A', '\tX-A: 1', 'X-A\r: 1'])(
    '%j is refused',
    async (line) => {
      expectRefused(await get([line]))
    },
  )

  test('without a Host nothing is served', async () => {
    expectRefused(await send(['GET /v1/health HTTP/1.1', 'Connection: close']))
  })

  test('no credential of odd characters or length breaks a lane', async () => {
    for (const value of [
      '\xff\xfe',
      'x'.repeat(9_000),
      '',
      '\t',
      'Bearer',
      'Bearer ',
      'Bearer a.b.c',
      `Bearer ${'.'.repeat(3_000)}`,
      `Bearer sk_live_${'é'.repeat(49)}`,
      `Bearer pk_live_${'0'.repeat(49)}`,
    ]) {
      for (const target of ['/v1/s2s/wallets', '/v1/wallets/me', '/v1/chains']) {
        expectRefused(
          await get(
            [`Authorization: ${value}`, `X-Service-Publishable-Key: ${tenant.pk}`],
            target === '/v1/chains' ? '/v1/wallets/me' : target,
          ),
          'unauthorized',
          401,
        )
        expectRefused(await get([`X-Service-Publishable-Key: ${value}`], '/v1/chains'), 'unauthorized', 401)
      }
    }
  })
})

describe('a body', () => {
  const email = () => JSON.stringify({ email: `${crypto.randomUUID()}@example.test` })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/xml',
    'json',
    '',
    '/',
    'application/json/x',
  ])('of type %j is unsupported', async (type) => {
    const body = email()
    expectRefused(
      await post([`Content-Type: ${type}`, `Content-Length: ${body.length}`], body),
      'unsupported_media_type',
      415,
    )
  })

  test('without a type is unsupported, with parameters or in capitals it is JSON', async () => {
    const body = email()
    expectRefused(await post([`Content-Length: ${body.length}`], body), 'unsupported_media_type', 415)
    for (const type of [
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/json;charset="UTF-8"',
    ]) {
      const other = email()
      expect((await post([`Content-Type: ${type}`, `Content-Length: ${other.length}`], other)).status).toBe(
        201,
      )
    }
  })

  test('in chunks is counted as it comes', async () => {
    const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`
    expectRefused(
      await post(
        ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
        `${chunk.repeat(5)}0\r\n\r\n`,
      ),
      'payload_too_large',
      413,
    )
    const small = email()
    const answer = await post(
      ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
      `${small.length.toString(16)}\r\n${small}\r\n0\r\n\r\n`,
    )
    expect(answer.status).toBe(201)
  })

  test('that is announced too large is refused before it comes', async () => {
    expectRefused(
      await post(['Content-Type: application/json', 'Content-Length: 99999999999'], '{'),
      'payload_too_large',
      413,
    )
  })

  test('of a caller without a credential is never looked at', async () => {
    const answer = await send(
      [
        'POST /v1/s2s/wallets HTTP/1.1',
        'Host: x',
        'Connection: close',
        'Content-Type: text/plain',
        'Content-Length: 300000',
      ],
      'x'.repeat(300_000),
    )
    expectRefused(answer, 'unauthorized', 401)
  })
})

describe('a slow client', () => {
  const body = () =>
    [
      'POST /v1/s2s/wallets HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${tenant.sk}`,
      'Content-Type: application/json',
      'Content-Length: 5000',
    ].join('\r\n')

  /** Sends a beginning, then a little now and then, and returns after how many seconds the server hung up. */
  async function endured(start: string, drip?: string): Promise<number> {
    const began = performance.now()
    const socket = await openSocket(app.url)
    socket.write(start)
    const timer = setInterval(() => drip !== undefined && socket.writable && socket.write(drip), 300)
    const answer = await readAnswer(socket)
    clearInterval(timer)
    // It may send the request again: what was late may have been the machine.
    expectRefused(answer, 'unavailable', 503)
    return (performance.now() - began) / 1000
  }

  /** How long a process takes to end that still waits for a body. */
  async function stoppingSeconds(): Promise<number> {
    const process = await startTestApp({ installation: app })
    const socket = await openSocket(process.url)
    socket.write(`${body()}\r\n\r\n{`)
    const closed = readAnswer(socket)
    // The server has to have seen the request before it gets the signal to stop.
    await process.call('GET', '/v1/health')
    const began = performance.now()
    await process.stop()
    await closed
    return (performance.now() - began) / 1000
  }

  test('loses its connection: 5 s for the headers, 10 s for the request, also from a server that stops', async () => {
    const [headers, dripping, silent, slowBody, stopping] = await Promise.all([
      endured('GET /v1/health HTTP/1.1\r\nHost: x\r\n'),
      endured('GET /v1/health HTTP/1.1\r\nHost: x\r\n', 'X-A: 1\r\n'),
      endured(''),
      endured(`${body()}\r\n\r\n{`, ' '),
      stoppingSeconds(),
    ])
    for (const seconds of [headers, dripping, silent]) {
      expect(seconds).toBeGreaterThan(4.5)
      expect(seconds).toBeLessThan(8)
    }
    for (const seconds of [slowBody, stopping]) {
      expect(seconds).toBeGreaterThan(8)
      expect(seconds).toBeLessThan(13)
    }
    expect((await app.call('GET', '/v1/health')).status).toBe(200)
  })
})
