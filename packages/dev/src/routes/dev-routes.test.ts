import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { mailboxStore } from '../mail/mailbox.store.ts'
import { devRoutes } from './dev-routes.ts'

let database: TestDatabase
let app: FastifyInstance
const created: unknown[] = []
beforeAll(async () => {
  database = await testDatabase()
  await mailboxStore.prepare(database.sql)
  app = Fastify()
  devRoutes(app, {
    sql: database.sql,
    chains: [],
    createOrganization: async (input) => {
      created.push(input)
      return { id: 'i', publishable_key: 'p', secret_key: 's', read_key: 'r' }
    },
  })
})
beforeEach(() => {
  created.length = 0
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })

test('the mailbox answers raw messages, newest first, for one address', async () => {
  await mailboxStore.add(database.sql, { recipients: ['a@x.test'], subject: 's', text: 't', html: null })
  const answer = await app.inject('/dev/mailbox/messages?to=A@x.test')
  expect(answer.json()).toEqual([
    {
      id: expect.any(String),
      to: 'a@x.test',
      subject: 's',
      text: 't',
      html: null,
      received_at: expect.any(String),
    },
  ])
  expect((await app.inject('/dev/mailbox/messages?to=b@x.test')).json()).toEqual([])
  expect((await app.inject('/dev/mailbox/messages?to=a&to=b')).statusCode).toBe(400)
})

test('the mailbox page allows no script but its own', async () => {
  const page = await app.inject('/dev/mailbox')
  const nonce = /script-src 'nonce-([^']+)'/.exec(String(page.headers['content-security-policy']))?.[1]
  expect(page.body).toContain(`<script nonce="${nonce}">`)
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  expect((await app.inject('/dev/mailbox')).headers['content-security-policy']).not.toContain(nonce)
})

test('an organization is made by the server, in the mode asked for', async () => {
  const answer = await post('/dev/organizations', { name: 'Acme', signing_mode: 'tee' })
  expect(answer.statusCode).toBe(201)
  expect(answer.json()).toEqual({ id: 'i', publishable_key: 'p', secret_key: 's', read_key: 'r' })
  expect(created).toEqual([{ name: 'Acme', signingMode: 'tee' }])
  for (const wrong of [{}, { name: '' }, { name: 1 }, { name: 'A', signing_mode: 'both' }])
    expect((await post('/dev/organizations', wrong)).statusCode).toBe(400)
  expect(created).toHaveLength(1)
})

test('the clock moves for every connection, adds up and can be moved back', async () => {
  const offsetMs = async () => {
    const [row] = await database.sql<{ ms: number }[]>`
      select extract(epoch from app_now() - clock_timestamp())::double precision * 1000 as ms`
    return Math.round((row?.ms ?? 0) / 100) * 100 || 0
  }
  const before = Date.now()
  const { now } = (await post('/dev/clock', { advance_ms: 60_000 })).json()
  expect(Date.parse(now) - before).toBeGreaterThanOrEqual(60_000)
  await Promise.all(Array.from({ length: 20 }, () => post('/dev/clock', { advance_ms: 1_000 })))
  expect(await offsetMs()).toBe(80_000)
  await post('/dev/clock', { advance_ms: -80_000 })
  expect(await offsetMs()).toBe(0)
  for (const wrong of [{}, { advance_ms: '1' }, { advance_ms: 1.5 }, { advance_ms: 1e15 }])
    expect((await post('/dev/clock', wrong)).statusCode).toBe(400)
})

test('without a local chain the faucet says so', async () => {
  const answer = await post('/dev/faucet', { address: `0x${'11'.repeat(20)}`, amount_wei: '1' })
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toEqual({ error: expect.stringContaining('off') })
})
