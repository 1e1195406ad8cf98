import type { AddressInfo } from 'node:net'
import { testIds, testLog } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mountReference } from './reference.ts'
import { httpServer } from './server.ts'

const app = httpServer({
  bound: [],
  authSchemes: {
    authenticate: () => Promise.reject(new Error('nobody asks')),
    isOriginListed: async () => false,
  },
  idempotency: {} as never,
  ids: testIds,
  log: testLog(),
  metrics: { answered: () => {} },
  trustedProxies: [],
  areAnswersChecked: true,
  isSecure: false,
})
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
