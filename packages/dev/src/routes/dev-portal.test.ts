import { randomUUID } from 'node:crypto'
import { makeTenant, startTestApp, type TestApp } from '@symbolon/testing/app'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devPortalRoutes } from './dev-portal.ts'

let platform: TestApp
let app: FastifyInstance

beforeAll(async () => {
  platform = await startTestApp()
  app = Fastify()
  devPortalRoutes(app, platform.app)
})
afterAll(async () => {
  await app?.close()
  await platform?.stop()
})

const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })

async function companiesOf(email: string): Promise<unknown[]> {
  const { headers } = await post('/dev/portal-session', { email })
  const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
  const { data } = await platform.call<{ items: unknown[] }>('GET', '/v1/orgs', { headers: { cookie } })
  return data.items
}

test('a developer gets a session of whoever they name', async () => {
  const answer = await post('/dev/portal-session', { email: ' Ada@Example.test ' })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['set-cookie']).toMatch(
    /^__Host-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200; Secure$/,
  )
  expect(answer.json()).toMatchObject({
    user: { email: 'ada@example.test' },
    expires_at: expect.stringMatching(/Z$/),
  })
  expect(await companiesOf('ada@example.test')).toEqual([])
  for (const email of [undefined, 1, '', 'nobody'])
    expect((await post('/dev/portal-session', { email })).statusCode).toBe(400)
})

test('an organization without members gets its owner, one that has members keeps them', async () => {
  const { id } = await makeTenant(platform)
  const adopt = (email: string, at = id) => post(`/dev/organizations/${at}/owner`, { email })
  expect((await adopt('first@example.test')).statusCode).toBe(204)
  expect((await adopt('second@example.test')).statusCode).toBe(204)
  expect(await companiesOf('first@example.test')).toMatchObject([{ id, role: 'owner' }])
  expect(await companiesOf('second@example.test')).toEqual([])
  expect((await adopt('first@example.test', 'nonsense')).statusCode).toBe(404)
  expect((await adopt('first@example.test', randomUUID())).statusCode).toBe(204)
})
