import { rounds } from '@symbolon/testing/properties'
import { expect, test } from 'vitest'
import { type Look, lookAtAll } from './support/look-at.ts'
import { newCompany, portalFixture } from './support/portal-fixture.ts'

const { visitor, dev } = portalFixture()

const slug = 'shown'
const email = 'looks@example.test'
const at = `/portal/o/${slug}`

const pages: readonly Look[] = [
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
  ['companies', at, ({ click }) => click(/^Company: /)],
  ['drawer', at, ({ click }) => click('Pages'), [390, 1280]],
  ['new-company', '/portal/new'],
  ['not-found', '/portal/o/nobody'],
]

/** In the suite each page is seen in one view, another one than the page before it. */
const viewsEach = rounds({ suite: 1, night: 4 })

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

test('every page fits wide and narrow windows in light and dark colours, and axe finds nothing serious', async () => {
  await fill()
  const someone = await visitor({ email })
  const found = await lookAtAll(someone, pages, viewsEach)
  await someone.context.clearCookies()
  found.push(...(await lookAtAll(someone, [['sign-in', '/portal?login_error=refused']], viewsEach)))
  expect(found).toEqual([])
}, 240_000)

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
