import { servePretended } from '@symbolon/testing/browser'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { connectedPage, embeddedPage } from './support/embedded-page.ts'
import { type Shop, startShop, type Visit } from './support/shop.ts'

let shop: Shop
let visit: Visit

beforeAll(async () => {
  shop = await startShop()
  visit = await shop.visit()
})
afterAll(async () => {
  await visit.close()
  await shop.stop()
})

afterEach(async () => {
  await Promise.all(visit.context.pages().map((page) => page !== visit.page && page.close()))
})

/** Long enough for an answer, short enough to wait for none. */
const silenceMs = 200

const embedded = (origin?: string) => embeddedPage(shop, visit.context, origin)

/** The frame without its rule about who may embed it, so that what it checks itself is seen. */
async function withoutAncestorRule(): Promise<void> {
  await visit.context.route(`${shop.app.frameUrl}/frame?*`, async (route) => {
    const response = await route.fetch()
    const policy = response.headers()['content-security-policy'] ?? ''
    const rest = policy.split(';').filter((directive) => !directive.includes('frame-ancestors'))
    await route.fulfill({
      response,
      headers: { ...response.headers(), 'content-security-policy': rest.join(';') },
    })
  })
}

const connect = (page: Page, waitMs = silenceMs, changes: Record<string, unknown> = {}) =>
  page.evaluate(([wait, changed]) => talk.connect(changed, { waitMs: wait }), [waitMs, changes] as const)

test('a page of a listed origin connects: its nonce comes back with a session', async () => {
  const page = await embedded()
  const nonce = 'AAECAwQFBgcICQoLDA0ODw'
  const first = await connect(page, 5_000, { nonce })
  expect(first).toEqual({
    type: 'connected',
    version: 1,
    nonce,
    session: expect.stringMatching(/^[\w-]{16,}$/),
  })
  expect(await page.evaluate(() => talk.request('session.set', { token: null }))).toMatchObject({
    result: {},
  })
})

test('every load of the frame gives another session', async () => {
  const sessions = new Set<string>()
  for (let i = 0; i < 3; i++)
    sessions.add(await (await connectedPage(shop, visit.context)).evaluate(() => talk.session))
  expect(sessions.size).toBe(3)
})

const lookAlikes = (port: number) => [
  `https://shop.localhost:${port}`,
  `http://shop.localhost:${port + 1}`,
  'http://shop.localhost',
  `http://shop.localhost.:${port}`,
  `http://evil-shop.localhost:${port}`,
  `http://sub.shop.localhost:${port}`,
  `http://shop.localhost.evil.localhost:${port}`,
  `http://shop:${port}`,
  `http://localhost:${port}`,
  `http://127.0.0.1:${port}`,
  'https://shop.example',
]

/** Opens a page with the frame at each origin at once. */
const atEach = (origins: readonly string[], look: (page: Page, origin: string) => Promise<void>) =>
  Promise.all(
    origins.map(async (origin) => {
      await servePretended(visit.context, origin)
      await look(await embedded(origin), origin)
    }),
  )

test('no look-alike of a listed origin may embed the frame: the browser itself refuses', async () => {
  await atEach(lookAlikes(shop.pages.port), async (page, origin) => {
    expect(
      page.frames().map((frame) => frame.url()),
      origin,
    ).not.toContain(shop.frameUrl())
    expect(await connect(page, 50), origin).toBeNull()
  })
})

test('no look-alike of a listed origin is answered, even where a browser would let it embed the frame', async () => {
  await withoutAncestorRule()
  try {
    expect(await connect(await embedded(), 5_000)).toMatchObject({ type: 'connected' })
    await atEach(lookAlikes(shop.pages.port), async (page, origin) => {
      expect(
        page.frames().map((frame) => frame.url()),
        origin,
      ).toContain(shop.frameUrl())
      expect(await connect(page), origin).toBeNull()
    })
  } finally {
    await visit.context.unroute(`${shop.app.frameUrl}/frame?*`)
  }
})

test('a document without an origin (sandboxed) of a listed page is not answered', async () => {
  await withoutAncestorRule()
  try {
    shop.pages.serve('/opaque', {
      body: '<!doctype html><title>opaque</title><link rel="icon" href="data:,">',
      type: 'text/html',
      headers: { 'content-security-policy': 'sandbox allow-scripts' },
    })
    const page = await embedded(`${shop.origin}/opaque`)
    expect(await page.evaluate(() => self.origin)).toBe('null')
    expect(await connect(page)).toBeNull()
  } finally {
    await visit.context.unroute(`${shop.app.frameUrl}/frame?*`)
  }
})

test('a listed origin is the same in upper case: browsers spell it in lower case', async () => {
  const page = await embedded(shop.origin.replace('shop', 'SHOP'))
  expect(await connect(page, 5_000)).toMatchObject({ type: 'connected' })
})

test('only the window that embeds it connects: not a neighbour, not a child, not an opener, though of the same origin', async () => {
  const page = await embedded()
  shop.pages.serve('/neighbour', '<!doctype html><title>neighbour</title>')
  await page.evaluate(async () => {
    const neighbour = document.createElement('iframe')
    neighbour.src = '/neighbour'
    const loaded = new Promise((resolve) => neighbour.addEventListener('load', resolve))
    document.body.append(neighbour)
    await loaded
  })
  const neighbour = page.frames().find((frame) => frame.url().endsWith('/neighbour'))
  const answered = await neighbour?.evaluate(
    (waitMs) =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }) => resolve(data)
        const connect = { type: 'symbolon:connect', version: 1, nonce: 'AAECAwQFBgcICQoLDA0ODw' }
        parent.frames[0]?.postMessage(connect, '*', [port2])
        setTimeout(() => resolve('silence'), waitMs)
      }),
    silenceMs,
  )
  expect(answered).toBe('silence')
  // The parent is not locked out by it.
  expect(await connect(page, 5_000)).toMatchObject({ type: 'connected' })
})

test('opened as a window of its own the frame answers nobody, not even its opener', async () => {
  const opener = await visit.context.newPage()
  await opener.goto(shop.origin)
  const [popup] = await Promise.all([
    visit.context.waitForEvent('page'),
    opener.evaluate((url) => void Object.assign(globalThis, { popup: window.open(url) }), shop.frameUrl()),
  ])
  await popup.waitForLoadState('load')
  const answered = await opener.evaluate(
    (waitMs) =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }) => resolve(data)
        const connect = { type: 'symbolon:connect', version: 1, nonce: 'AAECAwQFBgcICQoLDA0ODw' }
        ;(globalThis as unknown as { popup: Window }).popup.postMessage(connect, '*', [port2])
        setTimeout(() => resolve('silence'), waitMs)
      }),
    silenceMs,
  )
  expect(answered).toBe('silence')
})

test.each<[string, Record<string, unknown>, number]>([
  ['of no port', {}, 0],
  ['of two ports', {}, 2],
  ['with an invalid nonce', { nonce: 'short' }, 1],
  ['with a nonce that is not text', { nonce: 7 }, 1],
  ['with a field too many', { token: 'x' }, 1],
  ['of another type', { type: 'symbolon:hello' }, 1],
])('a connection %s is not answered', async (_, changes, portCount) => {
  const page = await embedded()
  const first = await page.evaluate(
    ([changed, count, waitMs]) => talk.connect(changed, { portCount: count, waitMs }),
    [changes, portCount, silenceMs] as const,
  )
  expect(first).toBeNull()
})

test('another version is refused by name', async () => {
  expect(await connect(await embedded(), 5_000, { version: 2 })).toEqual({
    type: 'refused',
    code: 'unsupported_version',
  })
})

test('requests before the connection, or past the port, are ignored', async () => {
  const page = await embedded()
  await page.evaluate(() => {
    const request = { type: 'request', session: '', id: 1, method: 'session.set', params: { token: null } }
    for (const frame of [window.frames[0]]) frame?.postMessage(request, '*')
  })
  expect(await connect(page, 5_000)).toMatchObject({ type: 'connected' })
  await page.evaluate(() => {
    const { session } = talk
    const request = { type: 'request', session, id: 1, method: 'session.set', params: { token: null } }
    window.frames[0]?.postMessage(request, '*')
  })
  expect(await page.evaluate((waitMs) => talk.answerTo(1, waitMs), silenceMs)).toBeNull()
  expect(await page.evaluate(() => talk.request('session.set', { token: null }))).toMatchObject({
    id: 1,
    result: {},
  })
})

test('a second connection is not answered, and the first one stays', async () => {
  const page = await connectedPage(shop, visit.context)
  const answered = await page.evaluate(
    (waitMs) =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }) => resolve(data)
        const connect = { type: 'symbolon:connect', version: 1, nonce: 'AAECAwQFBgcICQoLDA0ODw' }
        window.frames[0]?.postMessage(connect, '*', [port2])
        setTimeout(() => resolve('silence'), waitMs)
      }),
    silenceMs,
  )
  expect(answered).toBe('silence')
  expect(await page.evaluate(() => talk.request('session.set', { token: null }))).toMatchObject({
    result: {},
  })
})

test("none of this broke the frame's own rules", () => {
  expect(visit.traffic.errors).toEqual([])
  expect(visit.traffic.violations.filter((violation) => !violation.includes('frame-ancestors'))).toEqual([])
})
