import { launchChromium } from '@symbolon/testing/browser'
import { dataFolder, type StartedPlatform, startedPlatform } from '@symbolon/testing/platform'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = dataFolder()
let platform: StartedPlatform
let browser: Browser
let origin: string

// As `npm start` serves it: the pages' policy names the platform's own address.
beforeAll(async () => {
  const environment = { WORKERS: '1', SYMBOLON_CHAIN: 'off' }
  ;[platform, browser] = await Promise.all([
    startedPlatform({ dataFolder: folder.path, environment }),
    launchChromium(),
  ])
  origin = (await platform.ready()).base_url
}, 120_000)
afterAll(async () => {
  await browser?.close()
  platform?.launcher.kill('SIGTERM')
  await platform?.ended()
  folder.remove()
})

/** A page, and what it complains of: refused by its policy, failed, or asked of another host. */
async function reader(colorScheme: 'light' | 'dark'): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ baseURL: origin, colorScheme })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !url.startsWith('data:')) complaints.push(`another host: ${url}`)
  })
  return { page, complaints }
}

test.each(['light', 'dark'] as const)(
  'the guides open and turn pages in %s without a word in the console',
  async (scheme) => {
    const { page, complaints } = await reader(scheme)
    await page.goto('/docs/')
    await page.getByRole('link', { name: 'Get started' }).click()
    await page.getByRole('heading', { level: 1, name: /Getting started/ }).waitFor()
    await page.locator('.VPSidebar').getByRole('link', { name: 'Architecture' }).click()
    await page.locator(`img.diagram-${scheme}`).first().waitFor({ state: 'visible' })
    await page.getByRole('switch').first().click()
    expect(await page.locator(`img.diagram-${scheme}`).first().isVisible()).toBe(false)
    expect(complaints).toEqual([])
  },
)

test('the search finds a word and opens the page that has it', async () => {
  const { page, complaints } = await reader('light')
  await page.goto('/docs/')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('gas_cap_exceeded')
  await page.locator('.VPLocalSearchBox .result').filter({ hasText: 'gas_cap_exceeded' }).first().click()
  await page.waitForURL('**/docs/errors/gas_cap_exceeded**')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('gas_cap_exceeded')
  // A plain page, though a script led to it.
  expect(await page.locator('script').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('the address of an error without a page says so, and does not load itself again', async () => {
  const { page } = await reader('light')
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1
  })
  await page.goto('/docs/errors/no_such_code', { waitUntil: 'load' })
  await page.getByText('404').first().waitFor()
  await page.waitForTimeout(1_500)
  expect(loads).toBe(1)
})
