import { expect, test } from 'vitest'
import { lookAtWidths } from './support/look-at.ts'
import { newCompany, portalFixture, type Visitor } from './support/portal-fixture.ts'

const { visitor, dev } = portalFixture()

const slug = 'shown'
const email = 'looks@example.test'
const at = `/portal/o/${slug}`

/** Each page by name, with what is opened on it. */
const pages: readonly (readonly [name: string, path: string, open?: (visitor: Visitor) => Promise<void>])[] =
  [
    ['overview', at],
    ['quick-start', `${at}/quick-start`],
    ['wallets', `${at}/wallets`],
    ['wallet', `${at}/wallets`, ({ page }) => page.locator('tbody button').first().click()],
    ['wallets-none', `${at}/wallets?status=archived`],
    ['users', `${at}/users`],
    ['api-keys', `${at}/api-keys`],
    ['api-keys-create', `${at}/api-keys?create=true`],
    ['networks', `${at}/networks`],
    [
      'authentication',
      `${at}/authentication`,
      ({ page }) => page.getByText('With your identity provider').click(),
    ],
    ['recovery', `${at}/recovery`],
    ['members', `${at}/members`],
    ['audit', `${at}/audit`],
    ['audit-event', `${at}/audit`, ({ page }) => page.locator('tbody button').first().click()],
    [
      'audit-verify',
      `${at}/audit`,
      async ({ click, see }) => {
        await click('Verify')
        await see(/complete and unchanged/)
      },
    ],
    ['settings', `${at}/settings`],
    ['palette', at, ({ page }) => page.keyboard.press('Control+k')],
    ['account-menu', at, ({ click }) => click(/^Account of/)],
    [
      'companies',
      at,
      async ({ page, click }) => {
        const drawer = page.getByRole('button', { name: 'Pages' })
        await ((await drawer.isVisible()) ? drawer.click() : click(/^Company: /))
      },
    ],
    ['new-company', '/portal/new'],
    ['not-found', '/portal/o/nobody'],
  ]

/** A company with something of everything, made once. */
let filled: Promise<void> | undefined
function fill(): Promise<void> {
  filled ??= (async () => {
    const owner = await visitor({ email })
    const { id } = await newCompany(owner, { slug })
    const { key } = await owner.call<{ key: string }>('POST', `/v1/orgs/${id}/api-keys`, {
      name: 'Backend',
      type: 'secret',
    })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    for (const name of ['ada', 'grace', 'a-rather-long-name-that-has-to-be-cut-somewhere']) {
      const body = JSON.stringify({ email: `${name}@example.test` })
      const made = await fetch(`${dev().base_url}/v1/s2s/wallets`, { method: 'POST', headers, body })
      const { data } = await made.json()
      const message = JSON.stringify({ wallet_id: data.id, type: 'message', message: 'hello' })
      await fetch(`${dev().base_url}/v1/s2s/sign`, { method: 'POST', headers, body: message })
    }
    await owner.call('POST', `/v1/orgs/${id}/members`, { email: 'viewer@example.test', role: 'viewer' })
  })()
  return filled
}

test.each([
  ['light', [1280, 390]],
  ['dark', [390, 1280]],
] as const)(
  'every page in %s colours fits wide and narrow windows, and axe finds nothing serious',
  async (colorScheme, widths) => {
    await fill()
    const someone = await visitor({ email, colorScheme, width: widths[0] })
    const found: string[] = []
    const look = async (name: string) =>
      found.push(...(await lookAtWidths(someone, `${name}-${colorScheme}`, widths)))
    for (const [name, address, open] of pages) {
      await someone.go(address)
      await open?.(someone)
      await look(name)
    }
    await someone.context.clearCookies()
    await someone.go('/portal?login_error=refused')
    await look('sign-in')
    expect(found).toEqual([])
  },
  240_000,
)

test('nothing moves while a page of the company comes', async () => {
  await fill()
  const { page, go, see } = await visitor({ email })
  await page.addInitScript(() => {
    Object.assign(globalThis, { shifted: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
      })[])
        if (!entry.hadRecentInput)
          Object.assign(globalThis, { shifted: Reflect.get(globalThis, 'shifted') + entry.value })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const name of ['', '/wallets', '/api-keys', '/audit', '/members']) {
    await go(at + name)
    await page.waitForLoadState('networkidle')
    // Below 0.1 counts as good (web.dev, Core Web Vitals).
    expect(await page.evaluate(() => Reflect.get(globalThis, 'shifted')), name).toBeLessThan(0.1)
  }
  await see('Members')
})
