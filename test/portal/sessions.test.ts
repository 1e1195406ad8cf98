import {
  callAs,
  type PortalUser,
  portalUser,
  startClock,
  startTestApp,
  stopClock,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const hourMs = 3_600_000

let app: TestApp
let second: TestApp

beforeAll(async () => {
  app = await startTestApp()
  second = await startTestApp({ installation: app })
})
afterEach(() => startClock(app))
afterAll(async () => {
  await second.stop()
  await app.stop()
})

const isIn = async (user: PortalUser, process = app) =>
  (await callAs(process, user, ['GET', '/v1/auth/session'])).status === 200

test('a session is good in every process, and over in every one at the moment of its logout', async () => {
  const user = await portalUser(app)
  const other = await portalUser(app, user.email)
  expect([await isIn(user), await isIn(user, second)]).toEqual([true, true])
  const ended = await callAs(app, user, ['POST', '/v1/auth/logout'])
  expect(ended.status).toBe(204)
  expect(ended.headers.get('set-cookie')).toBe(
    '__Host-session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure',
  )
  expect([await isIn(user, second), await isIn(user)]).toEqual([false, false])
  // Another session of the same person stays.
  expect(await isIn(other, second)).toBe(true)
})

test('an idempotency key of a logout does not stand for the logout of another session', async () => {
  const first = await portalUser(app)
  const again = await portalUser(app, first.email)
  const headers = { 'idempotency-key': 'logout' }
  await callAs(app, first, ['POST', '/v1/auth/logout'], { headers })
  await callAs(app, again, ['POST', '/v1/auth/logout'], { headers })
  expect(await isIn(again)).toBe(false)
})

test('a session ends after two hours without use, and 12 hours after its login however much it is used', async () => {
  const startedAt = Date.now()
  await stopClock(app, startedAt)
  const idle = await portalUser(app)
  const busy = await portalUser(app)
  for (let hours = 1.5; hours < 12; hours += 1.5) {
    await stopClock(app, startedAt + hours * hourMs)
    expect(await isIn(busy, hours % 2 === 0 ? app : second)).toBe(true)
    if (hours === 1.5) expect(await isIn(idle)).toBe(true)
  }
  expect(await isIn(idle)).toBe(false)
  await stopClock(app, startedAt + 12 * hourMs - 1)
  expect(await isIn(busy)).toBe(true)
  await stopClock(app, startedAt + 12 * hourMs)
  expect([await isIn(busy), await isIn(busy, second)]).toEqual([false, false])
  // Nothing brings it back, not even a clock that is set back: it was not used meanwhile.
  expect(await isIn(idle)).toBe(false)
})

test('the answer says who is logged in and until when, and nothing about the token', async () => {
  const startedAt = Date.now()
  await stopClock(app, startedAt)
  const user = await portalUser(app, 'ada@example.test')
  const { data, text } = await callAs(app, user, ['GET', '/v1/auth/session'])
  expect(data).toEqual({
    user: { id: user.id, email: 'ada@example.test', name: '' },
    expires_at: new Date(startedAt + 12 * hourMs).toISOString(),
  })
  expect(text).not.toContain(user.cookie.slice(-20))
  const stored = await app.sql`select * from portal_sessions where user_id = ${user.id}`
  expect(JSON.stringify(stored)).not.toContain(user.cookie.slice('__Host-session='.length))
})
