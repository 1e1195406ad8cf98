import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { forgetRates } from '@symbolon/testing/app'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SdkShop, startSdkShop } from './support/sdk-shop.ts'

let shop: SdkShop

beforeAll(async () => {
  shop = await startSdkShop()
})
afterAll(() => shop?.stop())

/** Before this, no page may have to wait for what the platform has known at once. */
const promptMs = 1_500

type Options = { publishableKey?: string; baseUrl?: string; frameUrl?: string }
type Outcome = { code?: string; status?: number; message?: string; hint?: string; ms: number }

/** A page that has just been opened, with what its console said. */
async function freshPage(origin = shop.origin) {
  const context = await shop.browser.newContext()
  const page = await context.newPage()
  const said: string[] = []
  page.on('console', (message) => void said.push(message.text()))
  await page.goto(`${origin}/shop`)
  await page.waitForFunction(() => 'kit' in globalThis)
  return { page, said, context }
}

/** The first answer of a client of that page, and after how long it came. */
function firstAnswer(page: Page, act: 'preload' | 'sendCode', options: Options = {}): Promise<Outcome> {
  const whole = { publishableKey: shop.tenant.pk, baseUrl: shop.app.url, ...options }
  return page.evaluate(
    async ([given, first]) => {
      const made = kit.createClient(given)
      const since = performance.now()
      const { error } = await (first === 'preload'
        ? made.frame.preload()
        : made.auth.sendCode('a@example.test'))
      const ms = performance.now() - since
      const { code, message, status, details } = error ?? {}
      const { hint } = (details ?? {}) as { hint?: string }
      document.querySelector('h1')?.append(`: ${message ?? 'ready'} ${hint ?? ''}`)
      const told = { code, message, status, hint }
      return { ...(JSON.parse(JSON.stringify(told)) as typeof told), ms } as Outcome
    },
    [whole, act] as const,
  )
}

/** The same for both first calls that pages make, each on a page of its own. */
async function bothAnswers(options: Options, origin?: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const act of ['preload', 'sendCode'] as const) {
    const { page, said, context } = await freshPage(origin)
    outcomes.push(await firstAnswer(page, act, options))
    expect(said.filter((line) => line.includes('frame-ancestors'))).toEqual([])
    await context.close()
  }
  return outcomes
}

/** A server of this machine that redirects every request to an address, readable to pages or not. */
async function redirecting(to: string, headers: Record<string, string>) {
  const server = createServer(({ url }, response) => {
    response.writeHead(301, { location: to + url, ...headers }).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() }
}

const mistyped = (key: string) => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`

test('a page is told at once that its key is mistyped or revoked', async () => {
  const revoked = await shop.makeTenant()
  await shop.app.sql`update api_keys set revoked_at = now() where organization_id = ${revoked.id}`
  const cases = [
    [mistyped(shop.tenant.pk), /^This publishable key is incomplete or mistyped\. Create one/, shop.origin],
    [revoked.pk, /^This publishable key is unknown or was revoked\. Create one/, shop.origin],
    [mistyped(shop.tenant.pk), /^This publishable key is incomplete/, shop.pages.origin('evil.localhost')],
  ] as const
  for (const [publishableKey, message, origin] of cases)
    for (const answer of await bothAnswers({ publishableKey }, origin)) {
      expect(answer).toMatchObject({
        code: 'unauthorized',
        status: 401,
        message: expect.stringMatching(message),
      })
      expect(answer.ms).toBeLessThan(promptMs)
    }
})

test('an unlisted page learns its origin and where to add it, at once', async () => {
  const origin = shop.pages.origin('evil.localhost')
  const place = `Settings, Allowed origins, in the portal (${shop.app.url}/portal)`
  for (const answer of await bothAnswers({}, origin)) {
    expect(answer).toMatchObject({
      code: 'origin_not_allowed',
      status: 403,
      message: `${origin} is not in the allowed origins of this organization. Add it under ${place}.`,
    })
    expect(answer.ms).toBeLessThan(promptMs)
  }
  // A call that no frame is needed for, and whose refusal the browser hides.
  const { page, context } = await freshPage(origin)
  const listing = await page.evaluate(
    async ([publishableKey, baseUrl]) => {
      const { error } = await kit.createClient({ publishableKey, baseUrl }).chains.list()
      return [error?.code, error?.message]
    },
    [shop.tenant.pk, shop.app.url] as const,
  )
  expect(listing).toEqual(['origin_not_allowed', expect.stringContaining(`${origin} is not in`)])
  await context.close()
})

test('a baseUrl that redirects is refused with the address to use instead', async () => {
  const open = await redirecting(shop.app.url, { 'access-control-allow-origin': '*' })
  const closed = await redirecting(shop.app.url, {})
  try {
    for (const answer of await bothAnswers({ baseUrl: open.url }))
      expect(answer).toMatchObject({
        code: 'network_failed',
        message: `${open.url} is not the platform's address, ${shop.app.url} is: use that as baseUrl.`,
      })
    // Browsers say nothing of a redirect that a page may not read.
    for (const answer of await bothAnswers({ baseUrl: closed.url }))
      expect(answer.hint).toMatch(/^Something answers there, but not as the platform does\./)
  } finally {
    open.stop()
    closed.stop()
  }
})

test('a wrong baseUrl is named with what answers there, and neither key nor origin is blamed', async () => {
  const port = new URL(shop.app.url).port
  const nothing =
    /^Nothing answers there that a page may read\. Check baseUrl \(scheme, host, port, no path\)/
  const unreachable = (address: string) =>
    `Nothing that the SDK understands answers at ${address}: check baseUrl, and that the platform runs.`
  const cases = [
    ['http://127.0.0.1:9', 'network_failed', unreachable('http://127.0.0.1:9'), nothing],
    [`${shop.app.url}/portal`, 'network_failed', unreachable(`${shop.app.url}/portal`), nothing],
    [
      `https://127.0.0.1:${port}`,
      'network_failed',
      `${unreachable(`https://127.0.0.1:${port}`)} On this machine, it begins with http://.`,
      nothing,
    ],
    [
      shop.app.frameUrl,
      'network_failed',
      unreachable(shop.app.frameUrl),
      /^Something answers there, but not/,
    ],
    [
      shop.origin,
      'invalid_answer',
      `What answers at ${shop.origin} is not the platform's API: check baseUrl.`,
      undefined,
    ],
  ] as const
  for (const [baseUrl, code, message, hint] of cases)
    for (const answer of await bothAnswers({ baseUrl })) {
      expect(answer).toMatchObject({ code, message })
      if (hint !== undefined) expect(answer.hint).toMatch(hint)
      expect(JSON.stringify(answer)).not.toMatch(/allowed|publishable/)
      expect(answer.ms).toBeLessThan(5_000)
    }
})

test('a wrong frameUrl is said to be wrong, with the right one, and the right one opens', async () => {
  const { page, context } = await freshPage()
  for (const frameUrl of [shop.origin, 'http://127.0.0.1:9', shop.app.url]) {
    const answer = await firstAnswer(page, 'preload', { frameUrl })
    expect(answer).toMatchObject({
      code: 'frame_unreachable',
      message: `frameUrl is ${frameUrl}, but the wallet frame of this platform is at ${shop.app.frameUrl}. Correct it, or leave it out.`,
    })
    expect(answer.ms).toBeLessThan(promptMs)
  }
  expect(await page.locator('[data-symbolon]').count()).toBe(0)
  expect(await firstAnswer(page, 'preload', { frameUrl: shop.app.frameUrl })).toEqual({
    ms: expect.any(Number),
  })
  const refused = { frameUrl: shop.app.frameUrl, publishableKey: mistyped(shop.tenant.pk) }
  const answer = await firstAnswer(page, 'preload', refused)
  expect(answer).toMatchObject({ code: 'unauthorized', status: 401 })
  expect(answer.ms).toBeLessThan(promptMs)
  await context.close()
})

test('a page whose key and origin are good asks the platform once, as before, without a preflight', async () => {
  const { page, context } = await freshPage()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.frame() === page.mainFrame()) asked.push(`${request.method()} ${request.url()}`)
  })
  expect((await firstAnswer(page, 'preload')).code).toBeUndefined()
  expect(asked).toEqual([`GET ${shop.app.url}/v1/frame?publishable_key=${shop.tenant.pk}`])
  await context.close()
})

test('offline, users hear that they are offline, on a fresh page and in the middle', async () => {
  const { page, context } = await freshPage()
  await context.setOffline(true)
  const message = 'You are offline. Connect to a network and try again.'
  expect(await firstAnswer(page, 'sendCode')).toMatchObject({ code: 'network_failed', message })
  expect(await firstAnswer(page, 'preload', { frameUrl: shop.app.frameUrl })).toMatchObject({ message })
  await context.close()

  const one = await shop.owner()
  await one.context.setOffline(true)
  const signed = await one.page.evaluate(async () => (await client.sign.message('x')).error)
  expect(signed).toMatchObject({ code: 'network_failed', message })
  const listed = await one.page.evaluate(async () => (await client.wallets.list()).error)
  expect(listed).toMatchObject({ code: 'network_failed', message })
  await one.close()
})

test('a key that is revoked under a logged-in user is what every call says; the login stays', async () => {
  const one = await shop.owner({ tenant: await shop.makeTenant() })
  await shop.app.sql`update api_keys set revoked_at = now() where organization_id = ${one.tenant.id}`
  await forgetRates(shop.app)
  const told = await one.page.evaluate(async () => {
    const calls = [client.wallets.list, () => client.sign.message('x'), client.wallets.deviceState]
    const errors: unknown[] = []
    for (const call of [...calls, ...calls]) {
      const { error } = await call()
      errors.push([error?.code, error?.message])
    }
    return { errors, session: client.auth.session().status }
  })
  const refusal = ['unauthorized', expect.stringMatching(/^This publishable key is unknown or was revoked/)]
  expect(told).toEqual({ errors: Array(6).fill(refusal), session: 'signed_in' })
  await one.close()
})

test('after a logout, the frame’s calls and the platform’s say the same', async () => {
  const one = await shop.owner()
  const told = await one.page.evaluate(async () => {
    await client.auth.logout()
    const answers = [await client.sign.message('x'), await client.wallets.deviceState()]
    return answers.map(({ error }) => [error?.code, error?.message])
  })
  expect(told).toEqual(Array(2).fill(['unauthorized', 'Log in first.']))
  await one.close()
})

test('where the platform has stopped, its address is named and nothing is blamed', async () => {
  const stopped = await startSdkShop()
  try {
    const { page, context } = await freshPage(stopped.origin)
    const { url } = stopped.app
    await stopped.app.app.http.close()
    const options = { baseUrl: url, publishableKey: stopped.tenant.pk }
    const answer = await firstAnswer(page, 'sendCode', options)
    expect(answer).toMatchObject({
      code: 'network_failed',
      message: `Nothing that the SDK understands answers at ${url}: check baseUrl, and that the platform runs.`,
      hint: expect.stringMatching(/that the platform runs/),
    })
    expect(JSON.stringify(answer)).not.toMatch(/allowed|publishable/)
    await context.close()
  } finally {
    await stopped.stop()
  }
})
