import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { type Browser, newBrowser } from '@symbolon/testing/http'
import { type PlatformProcesses, startPlatformProcesses } from '@symbolon/testing/platform'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

/** The login through the development identity provider, by plain HTTP against two processes. */
let database: TestDatabase
let platform: PlatformProcesses
let base: string

beforeAll(async () => {
  database = await testDatabase()
  platform = await startPlatformProcesses({ databaseUrl: database.url })
  base = platform.baseUrl
})
afterEach(async () => {
  await database.sql.unsafe(
    `create or replace function app_now() returns timestamptz language sql volatile as 'select clock_timestamp()'`,
  )
})
afterAll(async () => {
  await platform.stop()
  await database.drop()
})

const whoIs = async (browser: Browser) => {
  const { status, text } = await browser.get(`${base}/v1/auth/session`)
  return status === 200 ? (JSON.parse(text).data.user.email as string) : undefined
}

test('a login leads through the provider back to where it began, and opens a session', async () => {
  const browser = newBrowser()
  const callback = await browser.loginUntilCallback(
    base,
    'ada.lovelace@example.test',
    '/portal/o/acme?tab=keys#a',
  )
  const done = await browser.get(callback)
  expect(done).toMatchObject({ status: 302, location: '/portal/o/acme?tab=keys#a' })
  const cookies = done.cookies.map((cookie) => cookie.replace(/=[\w-]{43};/, '=…;'))
  expect(cookies).toEqual([
    'login=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    'session=…; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200',
  ])
  const { text } = await browser.get(`${base}/v1/auth/session`)
  expect(JSON.parse(text).data.user).toMatchObject({
    email: 'ada.lovelace@example.test',
    name: 'Ada Lovelace',
  })
  // The second process knows the session too.
  expect((await browser.get(`${platform.apis[1]?.url}/v1/auth/session`)).status).toBe(200)
})

test('the callback works in whichever process it comes to', async () => {
  const browser = newBrowser()
  const callback = await browser.loginUntilCallback(base, 'elsewhere@example.test')
  const done = await browser.get(callback.replace(base, platform.apis[1]?.url ?? ''))
  expect(done.location).toBe('/portal')
  expect(await whoIs(browser)).toBe('elsewhere@example.test')
})

test('by another name of this machine a browser is led to the one that the provider leads back to', async () => {
  const other = base.replace('127.0.0.1', 'localhost')
  for (const path of ['/v1/auth/login?return_to=%2Fportal%2Fx', '/portal', '/portal/o/acme?tab=a'])
    expect(await newBrowser().get(`${other}${path}`)).toMatchObject({
      status: 302,
      location: `${base}${path}`,
    })
  expect((await newBrowser().get(`${other}/v1/health`)).status).toBe(200)
  expect((await newBrowser().get(`${other}/portally`)).status).toBe(404)
})

test('every login begins with values of its own, and asks for PKCE', async () => {
  const urls = await Promise.all(
    [1, 2].map(async () => new URL((await newBrowser().get(`${base}/v1/auth/login`)).location ?? '')),
  )
  for (const name of ['state', 'nonce', 'code_challenge']) {
    const [one, other] = urls.map((url) => url.searchParams.get(name))
    expect(one).toMatch(/^[\w-]{43}$/)
    expect(one).not.toBe(other)
  }
  expect(urls[0]?.searchParams.get('code_challenge_method')).toBe('S256')
  expect(urls[0]?.searchParams.get('response_type')).toBe('code')
})

test('a callback works once', async () => {
  const browser = newBrowser()
  const callback = await browser.loginUntilCallback(base, 'once@example.test')
  const cookies = browser.copy()
  await browser.get(callback)
  const replayed = await cookies.get(callback)
  expect(replayed.location).toBe('/portal?login_error=refused')
  expect(await whoIs(cookies)).toBeUndefined()
})

test("a callback works in the browser alone that began it: nobody is logged in to somebody else's account", async () => {
  const attacker = newBrowser()
  const callback = await attacker.loginUntilCallback(base, 'attacker@example.test')
  const victim = newBrowser()
  expect((await victim.get(callback)).location).toBe('/portal?login_error=refused')
  // Not even when the victim has a login of their own under way.
  await victim.get(`${base}/v1/auth/login`)
  expect((await victim.get(callback)).location).toBe('/portal?login_error=refused')
  expect(await whoIs(victim)).toBeUndefined()
})

test.each(['state', 'code'])('an altered %s logs nobody in', async (name) => {
  const browser = newBrowser()
  const callback = new URL(await browser.loginUntilCallback(base, 'altered@example.test'))
  const value = callback.searchParams.get(name) ?? ''
  callback.searchParams.set(name, `${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}`)
  const cookies = browser.copy()
  expect((await browser.get(callback.href)).location).toBe('/portal?login_error=refused')
  expect(await whoIs(browser)).toBeUndefined()
  // The login is spent: what was guessed wrong cannot be guessed again.
  callback.searchParams.set(name, value)
  expect((await cookies.get(callback.href)).location).toBe('/portal?login_error=refused')
  expect(await whoIs(cookies)).toBeUndefined()
})

test.each(['nonce', 'code_verifier', 'state'])(
  'a callback is checked against the %s that was drawn',
  async (column) => {
    const browser = newBrowser()
    const callback = await browser.loginUntilCallback(base, 'checked@example.test')
    await database.sql`update portal_logins set ${database.sql.identifier(column)} = ${'x'.repeat(43)}`
    expect((await browser.get(callback)).location).toBe('/portal?login_error=refused')
    expect(await whoIs(browser)).toBeUndefined()
  },
)

test('the portal shows a refusal of the provider', async () => {
  const browser = newBrowser()
  const login = new URL((await browser.get(`${base}/v1/auth/login`)).location ?? '')
  const state = login.searchParams.get('state')
  const iss = encodeURIComponent(`${base}/dev/idp`)
  const refused = `${base}/v1/auth/callback?error=access_denied&state=${state}&iss=${iss}`
  expect((await browser.get(refused)).location).toBe('/portal?login_error=refused')
  expect((await browser.get(`${base}/v1/auth/callback`)).location).toBe('/portal?login_error=refused')
})

test('a login takes ten minutes at most', async () => {
  const browser = newBrowser()
  const callback = await browser.loginUntilCallback(base, 'slow@example.test')
  await database.sql.unsafe(`create or replace function app_now() returns timestamptz language sql volatile as
    'select clock_timestamp() + interval ''10 minutes'''`)
  expect((await browser.get(callback)).location).toBe('/portal?login_error=refused')
})

test('the session is a new one at every login, and the browser has no other beside it', async () => {
  // An attacker has put a session into the browser: one that nobody has, and one of their own.
  for (const planted of ['f'.repeat(43), await attackersSession()]) {
    const victim = newBrowser()
    victim.put('session', planted)
    await victim.login(base, 'victim@example.test')
    expect(victim.value('session')).not.toBe(planted)
    expect(await whoIs(victim)).toBe('victim@example.test')
    const thief = newBrowser()
    thief.put('session', planted)
    expect(await whoIs(thief)).toBeUndefined()
  }
})

async function attackersSession(): Promise<string> {
  const attacker = newBrowser()
  await attacker.login(base, 'attacker@example.test')
  return attacker.value('session') ?? ''
}

test.each([
  'https://evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/..//evil.example',
  '/.//evil.example',
  '/portal/../..//evil.example',
  '/%2e%2e//evil.example',
  '/portal@evil.example',
  '/portal.evil.example',
  '/portalevil',
  'portal',
  'javascript:alert(1)',
  '/\tevil.example',
  '/portal\r\nset-cookie: a=b',
  '/v1/auth/login',
  '/dev/mailbox',
  '',
])('a login leads to no other place: %j', async (place) => {
  const browser = newBrowser()
  const callback = await browser.loginUntilCallback(base, 'open@example.test', place)
  expect((await browser.get(callback)).location).toBe('/portal')
})

test('an invitation belongs to the first person who proves its address, and to nobody after them', async () => {
  const owner = newBrowser()
  await owner.login(base, 'owner@example.test')
  const created = await owner.post(`${base}/v1/orgs`, { name: 'Acme', slug: 'acme', country: 'de' })
  const { id } = JSON.parse(created.text).data
  await owner.post(`${base}/v1/orgs/${id}/members`, { email: 'Invited@Example.test', role: 'developer' })
  const invited = newBrowser()
  await invited.login(base, 'invited@example.test')
  const list = await invited.get(`${base}/v1/orgs`)
  expect(JSON.parse(list.text).data.items).toMatchObject([{ slug: 'acme', role: 'developer' }])
  // The same address, vouched for as another person's: they do not become the member.
  await database.sql`update portal_users set subject = 'somebody else' where email = 'invited@example.test'`
  const other = newBrowser()
  const callback = await other.loginUntilCallback(base, 'invited@example.test')
  expect((await other.get(callback)).location).toBe('/portal?login_error=refused')
})

test('the log of a run holds neither codes, states, cookies nor the client secret', async () => {
  const browser = newBrowser()
  const callback = new URL(await browser.loginUntilCallback(base, 'logged@example.test'))
  const login = browser.value('login') ?? ''
  await browser.get(callback.href)
  await browser.get(callback.href)
  const logs = platform.logs()
  for (const secret of [login, browser.value('session'), callback.searchParams.get('code')])
    expect(logs).not.toContain(secret)
})
