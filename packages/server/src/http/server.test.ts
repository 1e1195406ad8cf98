import type { AddressInfo } from 'node:net'
import { testIds, testLog } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mountReference } from './reference.ts'
import { type HttpOptions, httpServer } from './server.ts'

const options: HttpOptions = {
  bound: [],
  authSchemes: {
    authenticate: () => Promise.reject(new Error('nobody asks')),
    isOriginListed: async () => false,
  },
  idempotency: {} as never,
  limiter: {} as never,
  fair: {} as never,
  ids: testIds,
  log: testLog(),
  metrics: { answered: () => {}, forwardedIgnored: () => {} },
  trustedProxies: [],
  areAnswersChecked: true,
  isSecure: false,
}
const app = httpServer(options)
let url: string

beforeAll(async () => {
  mountReference(app)
  app.get('/file', (_request, reply) => reply.type('text/css').send('p {}'))
  app.get('/moved', (_request, reply) => reply.redirect('/file'))
  app.get('/raw', (_request, reply) => reply.hijack().raw.writeHead(200).end('raw'))
  app.get('/broken', () => {
    throw new Error('broken')
  })
  app.register(async (scope) => scope.get('/scoped', (_request, reply) => reply.code(204).send()))
  await app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  // The first request makes the page, during which no other is read.
  await fetch(`${url}/reference`)
})
afterAll(() => app.close())

test('a connection that cannot be accepted ends no process', async () => {
  expect(app.server.emit('error', new Error('accept EMFILE'))).toBe(true)
  expect((await fetch(`${url}/file`)).status).toBe(200)
})

const paths = ['/file', '/moved', '/raw', '/broken', '/scoped', '/reference', '/nowhere', '/%zz']

test('every answer has one request id of its own, from whatever part of the server it comes', async () => {
  const answers = await Promise.all(paths.map((path) => fetch(`${url}${path}`, { redirect: 'manual' })))
  expect(answers.map(({ status }) => status)).toEqual([200, 302, 200, 500, 204, 200, 404, 404])
  const ids = answers.map(({ headers }) => headers.get('x-request-id') ?? '')
  expect(new Set(ids).size).toBe(paths.length)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})

/** What a service with further options answers to one request from 127.0.0.1. */
async function answered(given: Partial<HttpOptions>, headers: Record<string, string>, path = '/client') {
  const served = httpServer({ ...options, ...given })
  served.get('/client', ({ ip }, reply) => reply.send(ip))
  try {
    return await served.inject({ url: path, headers, remoteAddress: '127.0.0.1' })
  } finally {
    await served.close()
  }
}

test.each([
  ['localhost', 200],
  ['LOCALHOST:8080', 200],
  ['127.0.0.1:1', 200],
  ['127.8.8.8', 200],
  ['[::1]:8080', 200],
  ['wallet.test', 200],
  ['wallet.test:8443', 200],
  ['evil.test', 403],
  ['evil.test:8080', 403],
  ['localhost.evil.test', 403],
  ['127.0.0.1.evil.test', 403],
  ['evil.test@localhost', 403],
  ['localhost@evil.test', 403],
  ['wallet.test.evil.test', 403],
  ['0.0.0.0', 403],
  ['192.168.0.1', 403],
])('in development a page that rebinds its name reads nothing: Host %s', async (host, status) => {
  for (const path of ['/client', '/nowhere']) {
    const { statusCode } = await answered({ answeredHosts: ['wallet.test'] }, { host }, path)
    expect(statusCode).toBe(status === 200 && path !== '/client' ? 404 : status)
  }
})

test('every name is answered where none is listed: in production, the proxy decides', async () => {
  expect((await answered({}, { host: 'evil.test' })).statusCode).toBe(200)
})

test.each([
  ['nobody is trusted', [], '198.51.100.7', '127.0.0.1', 1],
  ['another is trusted', ['10.0.0.0/8'], '198.51.100.7', '127.0.0.1', 1],
  ['the proxy is trusted', ['127.0.0.1'], '198.51.100.7', '198.51.100.7', 0],
  ['a range is trusted', ['127.0.0.0/8', '::1'], '198.51.100.7', '198.51.100.7', 0],
  ['two proxies are trusted', ['127.0.0.1', '10.0.0.0/8'], '198.51.100.7, 10.1.2.3', '198.51.100.7', 0],
  ['the second proxy is not', ['127.0.0.1'], '198.51.100.7, 10.1.2.3', '10.1.2.3', 0],
  [
    'the client made up the first',
    ['127.0.0.1', '10.0.0.0/8'],
    '1.1.1.1, 198.51.100.7, 10.1.2.3',
    '198.51.100.7',
    0,
  ],
  ['all are trusted', ['127.0.0.1', '10.0.0.0/8'], '10.9.9.9, 10.1.2.3', '10.9.9.9', 0],
  ['mapped addresses count as theirs', ['127.0.0.1', '10.0.0.0/8'], '1.1.1.1, ::ffff:10.1.2.3', '1.1.1.1', 0],
  ['words are no addresses', ['127.0.0.1'], '1.1.1.1, unknown', 'unknown', 0],
])(
  'the client is the rightmost address that is not trusted: %s',
  async (_, trustedProxies, forwarded, client, ignored) => {
    let count = 0
    const metrics = { answered: () => {}, forwardedIgnored: () => count++ }
    const { body } = await answered({ trustedProxies, metrics }, { 'x-forwarded-for': forwarded })
    expect([body, count]).toEqual([client, ignored])
  },
)

test('https is pinned on every answer where BASE_URL is https, and on none elsewhere', async () => {
  for (const path of ['/client', '/nowhere', '/%zz']) {
    const { headers } = await answered({ isSecure: true }, {}, path)
    expect(headers['strict-transport-security'], path).toBe('max-age=31536000')
    expect((await answered({}, {}, path)).headers['strict-transport-security']).toBeUndefined()
  }
})
