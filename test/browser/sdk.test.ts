import { forgetRates, mailedCode, mailsTo } from '@symbolon/testing/app'
import { pageWith } from '@symbolon/testing/browser'
import type { Page } from 'playwright-core'
import { type Hex, recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SdkShop, startSdkShop } from './support/sdk-shop.ts'

let shop: SdkShop

beforeAll(async () => {
  shop = await startSdkShop()
})
afterAll(() => shop?.stop())

const mailCount = (email: string) => mailsTo(shop.app, email).length

test('a page without a bundler, by the script that the platform serves: log in, create, sign, recover elsewhere, refresh', async () => {
  const { address, ...first } = await shop.owner({ path: '/plain' })
  const sign = (page: Page, text: string) =>
    page.evaluate(async (message) => (await client.sign.message(message)).data?.signature as Hex, text)
  const message = 'Hello from the shop'
  expect(await recoverMessageAddress({ message, signature: await sign(first.page, message) })).toBe(address)

  const second = await shop.shopper({ tenant: first.tenant, email: first.email, path: '/plain' })
  const missing = await second.page.evaluate(async () => (await client.sign.message('x')).error?.code)
  expect(missing).toBe('device_share_missing')
  const before = mailCount(first.email)
  const recovering = second.page.evaluate(() => client.recovery.run())
  await second.dialog.getByLabel('Six-digit code').fill(await mailedCode(shop.app, first.email, before))
  expect((await recovering).error).toBeNull()
  await forgetRates(shop.app)
  expect(await recoverMessageAddress({ message, signature: await sign(second.page, message) })).toBe(address)
  const outdated = await first.page.evaluate(async () => (await client.sign.message('x')).error?.code)
  expect(outdated).toBe('device_share_outdated')
  expect(await first.page.evaluate(async () => (await client.wallets.deviceState()).data?.deviceShare)).toBe(
    'outdated',
  )
  await forgetRates(shop.app)
  const renewing = second.page.evaluate(() => client.share.refresh())
  await second.dialog.getByRole('button', { name: 'Renew' }).waitFor()
  await second.dialog.getByRole('button', { name: 'Renew' }).click()
  expect((await renewing).error).toBeNull()
  await forgetRates(shop.app)
  expect(await recoverMessageAddress({ message, signature: await sign(second.page, message) })).toBe(address)

  await second.page.evaluate(() => client.auth.logout())
  expect(await second.page.evaluate(async () => (await client.sign.message('x')).error?.code)).toMatch(
    /session|unauthorized/,
  )
  await shop.leavesNothing(first)
  await shop.leavesNothing(second)
})

test('a signature without confirmation is told at the edge of the page, which stays usable', async () => {
  const one = await shop.owner()
  await one.page.evaluate(() => client.sign.message('Pay for tea'))
  const strip = one.dialog.getByRole('status')
  await strip.waitFor()
  expect(await strip.textContent()).toContain('Signed without asking you')
  expect(await strip.textContent()).toContain(
    `${new URL(shop.origin).host} can sign with your wallet at any time`,
  )
  const covered = await one.page.evaluate(() => {
    const { right, bottom } = document.documentElement.getBoundingClientRect()
    return document
      .elementFromPoint(right - 60, Math.max(bottom, innerHeight) - 60)
      ?.getAttribute('data-symbolon')
  })
  expect(covered).not.toBe('wallet')
  await shop.leavesNothing(one)
})

test('a confirmation lies over the whole page, takes the keyboard, and gives both back', async () => {
  const tenant = await shop.makeTenant({ isConfirmationShown: true })
  const { address, ...one } = await shop.owner({ tenant })
  await one.page.getByRole('button', { name: 'Buy' }).focus()
  const signing = one.page.evaluate(() => client.sign.message('Pay for tea'))
  await one.dialog.getByRole('dialog').waitFor()
  const covered = await one.page.evaluate(() => {
    const [x, y] = [innerWidth / 2, 20]
    return document.elementFromPoint(x, y)?.getAttribute('data-symbolon')
  })
  expect(covered).toBe('wallet')
  await one.dialog.getByRole('button', { name: 'Confirm' }).click()
  const { data } = await signing
  expect(await recoverMessageAddress({ message: 'Pay for tea', signature: data?.signature as Hex })).toBe(
    address,
  )
  await one.page.waitForFunction(() => document.activeElement?.textContent === 'Buy')
  await one.page.getByRole('button', { name: 'Buy' }).click()

  await forgetRates(shop.app)
  const refused = one.page.evaluate(async () => (await client.sign.message('Pay more')).error?.code)
  await one.dialog.getByRole('dialog').waitFor()
  await one.page.keyboard.press('Escape')
  expect(await refused).toBe('user_rejected')
  await shop.leavesNothing(one)
})

test('a page is told to check its origin when the frame never answers', async () => {
  const context = await shop.browser.newContext()
  const { frameUrl } = shop.app
  await context.route(`${frameUrl}/frame?*`, (route) =>
    route.fulfill({ body: pageWith(''), contentType: 'text/html' }),
  )
  const page = await context.newPage()
  await page.goto(`${shop.origin}/shop`)
  await page.waitForFunction(() => 'kit' in globalThis)
  await page.clock.install()
  const telling = page.evaluate(
    async ([publishableKey, baseUrl]) =>
      (await kit.createClient({ publishableKey, baseUrl }).frame.preload()).error,
    [shop.tenant.pk, shop.app.url] as const,
  )
  await page.waitForFunction(() => document.querySelector('[data-symbolon]') !== null)
  await page.clock.fastForward(30_000)
  const hint = `${frameUrl} did not answer as the wallet frame. Check that it is up, and frame-src in the CSP of this page.`
  expect(await telling).toMatchObject({
    code: 'frame_unreachable',
    message: 'The wallet could not be loaded.',
    details: { hint },
  })
  await context.close()
})
