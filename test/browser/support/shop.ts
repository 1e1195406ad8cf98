import {
  makeTenant,
  startTestApp,
  type Tenant,
  type TenantOptions,
  type TestApp,
  type TestAppOptions,
} from '@symbolon/testing/app'
import { launchChromium, type Pages, startPages, type Traffic, watchTraffic } from '@symbolon/testing/browser'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/** For one thing that a person does: long enough on a loaded machine, and a test that waits for nothing says for what. */
const actionLimitMs = 10_000

/** A person's browser at the shop: a context of its own, watched from its first page on. */
export type Visit = {
  context: BrowserContext
  /** At the shop's first page. */
  page: Page
  traffic: Traffic
  close(): Promise<void>
}

/** An organization that allows the shop; its users are asked before a signature only where the test is about that. */
export type ShopTenantOptions = TenantOptions & { isConfirmationShown?: boolean }

/** A customer's web shop on an origin of its own that embeds the platform, and a browser to visit it with. */
export type Shop = {
  app: TestApp
  pages: Pages
  browser: Browser
  /** Where the shop is; the only origin that its organization allows. */
  origin: string
  tenant: Tenant
  /** Where the frame of an organization is. */
  frameUrl(pk?: string): string
  /** Makes a further organization that allows the shop. */
  makeTenant(options?: ShopTenantOptions): Promise<Tenant>
  visit(options?: BrowserContextOptions): Promise<Visit>
  stop(): Promise<void>
}

/** Starts the platform, the shop and the browser. The organization is in client mode by default. */
export async function startShop(
  options: Omit<TestAppOptions, 'isVisited'> & { tenant?: ShopTenantOptions } = {},
): Promise<Shop> {
  const { tenant: tenantOptions, ...appOptions } = options
  const [app, pages, browser] = await Promise.all([
    startTestApp({ ...appOptions, isVisited: true }),
    startPages(),
    launchChromium(),
  ])
  const origin = pages.origin()
  async function make({ isConfirmationShown = false, ...more }: ShopTenantOptions = {}): Promise<Tenant> {
    const made = await makeTenant(app, { signingMode: 'client', allowedOrigins: [origin], ...more })
    await app.sql`update organizations set sign_confirmation = ${isConfirmationShown} where id = ${made.id}`
    return made
  }
  const tenant = await make(tenantOptions)
  return {
    app,
    pages,
    browser,
    origin,
    tenant,
    frameUrl: (pk = tenant.pk) => `${app.frameUrl}/frame?publishable_key=${pk}`,
    makeTenant: make,

    async visit(contextOptions) {
      const context = await browser.newContext(contextOptions)
      context.setDefaultTimeout(actionLimitMs)
      const traffic = await watchTraffic(context)
      const page = await context.newPage()
      await page.goto(origin)
      return { context, page, traffic, close: () => context.close() }
    },

    async stop() {
      await browser.close()
      await Promise.all([pages.close(), app.stop()])
    },
  }
}
