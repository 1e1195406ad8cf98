import { launchChromium } from '@symbolon/testing/browser'
import { type DevJson, dataFolder, type StartedPlatform, startedPlatform } from '@symbolon/testing/platform'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, onTestFinished } from 'vitest'
import { ensureBuilt } from '../../../scripts/build.ts'

/** Somebody in front of the portal. `troubles` are errors of the page and what its policy has stopped. */
export type Visitor = {
  context: BrowserContext
  page: Page
  troubles: string[]
  /** Goes to an address of the portal and waits until it is shown. */
  go(path: string): Promise<void>
  /** Waits until a text is to be seen. */
  see(text: string | RegExp): Promise<void>
  click(name: string | RegExp): Promise<void>
  /** Calls the API with the visitor's cookie, as the page would; answers the envelope's data. */
  call<data>(method: string, path: string, body?: unknown): Promise<data>
}

/** How somebody comes to the portal; without an address nobody is logged in. */
export type Visit = {
  email?: string
  width?: number
  colorScheme?: 'light' | 'dark'
}

/** A platform as `npm start` starts it and a browser, for the tests of one file. */
export function portalFixture() {
  const folder = dataFolder()
  let platform: StartedPlatform
  let browser: Browser
  let dev: DevJson
  let opened: BrowserContext[] = []

  beforeAll(async () => {
    await ensureBuilt(['portal'])
    ;[platform, browser] = await Promise.all([
      startedPlatform({ dataFolder: folder.path, environment: { WORKERS: '1' } }),
      launchChromium(),
    ])
    dev = await platform.ready()
  }, 120_000)
  afterEach(async () => {
    for (const context of opened) await context.close()
    opened = []
  })
  afterAll(async () => {
    await browser?.close()
    platform?.launcher.kill('SIGTERM')
    await platform?.ended()
    folder.remove()
  })

  async function visitor(visit: Visit = {}): Promise<Visitor> {
    const context = await browser.newContext(contextOptions(visit, dev.base_url))
    opened.push(context)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    if (visit.email !== undefined) {
      const answer = await context.request.post('/dev/portal-session', { data: { email: visit.email } })
      if (!answer.ok()) throw new Error(await answer.text())
    }
    return visitorAt(await context.newPage(), dev.base_url)
  }

  return { visitor, dev: () => dev }
}

function contextOptions(
  { width = 1280, colorScheme = 'light' }: Visit,
  baseURL: string,
): BrowserContextOptions {
  return {
    baseURL,
    viewport: { width, height: width < 600 ? 780 : 800 },
    isMobile: width < 600,
    hasTouch: width < 600,
    colorScheme,
    // The browser's own would be the system's, which may name none.
    locale: 'en-GB',
    timezoneId: 'UTC',
    // What appears slowly has no full contrast meanwhile.
    reducedMotion: 'reduce',
  }
}

/** The visitor of a page; the test fails when the page has any trouble. */
function visitorAt(page: Page, origin: string): Visitor {
  const context = page.context()
  page.setDefaultTimeout(10_000)
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('console', (line) => {
    // The browser notes every refused call; the page says those by itself.
    if (line.type() === 'error' && !/Failed to load resource/.test(line.text())) troubles.push(line.text())
  })
  onTestFinished(({ task }) => {
    if (task.result?.state === 'pass' && troubles.length > 0) throw new Error(troubles.join('\n'))
  })
  return {
    context,
    page,
    troubles,
    see: (text) => page.getByText(text).filter({ visible: true }).first().waitFor(),
    async go(path) {
      await page.goto(path)
      await page.locator('h1').first().waitFor()
    },
    click: (name) => page.getByRole('button', { name }).first().click(),
    async call<data>(method: string, path: string, body?: unknown) {
      const answer = await context.request.fetch(path, {
        method,
        headers: { origin },
        ...(body !== undefined && { data: body }),
      })
      const { data, error } = answer.status() === 204 ? { data: null, error: null } : await answer.json()
      if (error !== null) throw new Error(`${method} ${path}: ${JSON.stringify(error)}`)
      return data as data
    },
  }
}

/** A company of the visitor's own; answers its id and the address of its pages. */
export async function newCompany(
  { call }: Visitor,
  { slug, signing_mode = 'tee' }: { slug: string; signing_mode?: 'client' | 'tee' },
): Promise<{ id: string; at: string }> {
  const { id } = await call<{ id: string }>('POST', '/v1/orgs', {
    name: `Company ${slug}`,
    slug,
    country: 'DE',
    signing_mode,
  })
  return { id, at: `/portal/o/${slug}` }
}
