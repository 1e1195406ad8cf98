import { launchChromium } from '@symbolon/testing/browser'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { axeIn } from '../browser/support/axe-in.ts'
import { sampleShares } from './sample-shares.ts'

const address = new URL('../../packages/rescue/dist/rescue.html', import.meta.url).href
let browser: Browser
let context: BrowserContext
let page: Page
let requests: string[] = []
let complaints: string[] = []

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())
beforeEach(async () => {
  context = await browser.newContext()
  page = await context.newPage()
  requests = []
  complaints = []
  context.on('request', (request) => requests.push(request.url()))
  page.on('websocket', (socket) => requests.push(socket.url()))
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(address)
})
afterEach(() => context.close())

async function rebuild(first: string, second: string): Promise<void> {
  await page.getByLabel('Share 1').fill(first)
  await page.getByLabel('Share 2').fill(second)
  await page.getByRole('button', { name: 'Rebuild the key' }).click()
}

const cardText = (heading: string) => page.locator('.card').filter({ hasText: heading }).textContent()

test('two share files give the wallet from a file on disk, and no request is ever made', async () => {
  const { files, key, secretHex } = sampleShares()
  await rebuild(...files)
  expect(await page.getByText('proves it').count()).toBe(1)
  expect(await cardText('EVM chains')).toContain(key.address)
  expect(await page.content()).not.toContain(secretHex)
  await page.getByRole('button', { name: 'Show the private key for Ethereum' }).click()
  expect(await cardText('EVM chains')).toContain(`0x${secretHex}`)
  await page.getByRole('button', { name: 'Copy the private key for Tron' }).click()
  expect(requests).toEqual([address])
  expect(complaints).toEqual([])
})

test('no connection leaves the page, whatever would be written into it', async () => {
  const { attempts, refusedBy } = await page.evaluate(async () => {
    const refusedBy: string[] = []
    document.addEventListener('securitypolicyviolation', (event) => refusedBy.push(event.effectiveDirective))
    const failed = async (attempt: () => Promise<unknown>) =>
      attempt().then(
        () => 'open',
        () => 'refused',
      )
    const loads = (made: HTMLElement) =>
      failed(
        () =>
          new Promise((resolve, reject) => {
            made.addEventListener('load', resolve)
            made.addEventListener('error', reject)
            document.body.append(made)
          }),
      )
    const target = 'http://127.0.0.1:9/leak'
    const attempts = await Promise.all([
      failed(() => fetch(target, { mode: 'no-cors' })),
      loads(Object.assign(document.createElement('img'), { src: target })),
      loads(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: target })),
      failed(
        () =>
          new Promise((resolve, reject) => {
            const socket = new WebSocket('ws://127.0.0.1:9/leak')
            socket.onopen = resolve
            socket.onerror = reject
          }),
      ),
    ])
    return { attempts, refusedBy: refusedBy.sort() }
  })
  expect(attempts).toEqual(['refused', 'refused', 'refused', 'refused'])
  // Refused by the policy, before anything left: not by the closed port.
  expect(refusedBy).toEqual(['connect-src', 'connect-src', 'img-src', 'style-src-elem'])
})

test('bare shares need an address or a curve, and without an address the key is called unproven', async () => {
  const { bare, key, secretHex } = sampleShares('ed25519')
  await rebuild(...bare)
  expect(await page.getByRole('alert').textContent()).toContain('do not name their curve')
  await page.getByLabel('An address of the wallet').fill(key.address)
  await page.getByRole('button', { name: 'Rebuild the key' }).click()
  await page.getByRole('button', { name: 'Show the private key for Aptos' }).click()
  expect(await cardText('Aptos')).toContain(secretHex)
  await page.getByLabel('An address of the wallet').fill('')
  await page.getByLabel('Networks of the wallet').selectOption('ed25519')
  await page.getByRole('button', { name: 'Rebuild the key' }).click()
  expect(await page.getByRole('alert').textContent()).toContain('Unproven key')
})

test('shares that do not belong together give a reason and no key; clearing leaves nothing', async () => {
  const [mine, other] = [sampleShares(), sampleShares()]
  await rebuild(mine.files[0], other.files[1])
  expect(await page.getByRole('alert').textContent()).toContain('do not rebuild the key')
  expect(await page.locator('.card').count()).toBe(0)
  await rebuild(mine.files[0], 'nonsense')
  expect(await page.locator('#share-2-state').textContent()).toContain('not a share')
  await rebuild(...mine.files)
  expect(await page.locator('.card').count()).toBe(4)
  await page.getByRole('button', { name: 'Clear everything' }).click()
  expect(await page.locator('.card').count()).toBe(0)
  for (const number of [1, 2]) {
    expect(await page.getByLabel(`Share ${number}`).inputValue()).toBe('')
    expect(await page.locator(`#share-${number}-state`).textContent()).toBe('')
  }
})

test('a share file is chosen by file dialog too', async () => {
  const { files } = sampleShares()
  for (const [index, text] of files.entries()) {
    const buffer = Buffer.from(text)
    await page
      .locator(`#share-${index + 1}-file`)
      .setInputFiles({ name: `${index}.json`, mimeType: 'application/json', buffer })
    await page.locator(`#share-${index + 1}-state[data-kind=good]`).waitFor()
  }
  await page.getByRole('button', { name: 'Rebuild the key' }).click()
  expect(await page.locator('.card').count()).toBe(4)
})

test('it is usable by keyboard and read by assistive technology, light and dark', async () => {
  await rebuild(...sampleShares().files)
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('sheet-title')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await axeIn(page.mainFrame())
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
  }
})
