import { setTimeout as sleep } from 'node:timers/promises'
import { launchChromium } from '@symbolon/testing/browser'
import { dataFolder, type StartedPlatform, startedPlatform } from '@symbolon/testing/platform'
import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '../../scripts/build.ts'
import { axeIn } from './support/axe-in.ts'

/** Longer than what the limits of production make a user wait. */
const stepMs = 25_000

const folder = dataFolder()
let platform: StartedPlatform
let browser: Browser
let url: string
const contexts: BrowserContext[] = []

beforeAll(async () => {
  await ensureBuilt(['demo', 'iframe'])
  ;[platform, browser] = await Promise.all([
    startedPlatform({ dataFolder: folder.path, environment: { SYMBOLON_CHAIN: 'on', WORKERS: '1' } }),
    launchChromium(),
  ])
  const { base_url, demo_url } = await platform.ready()
  url = demo_url
  expect(url).toBe(`${base_url}/demo`)
  // Ready, the local chain included: it comes up after the first signature.
  while (!(await fetch(`${base_url}/v1/ready`)).ok) await sleep(100)
}, 120_000)
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
})
afterAll(async () => {
  await browser?.close()
  platform?.launcher.kill('SIGTERM')
  await platform?.ended()
  folder.remove()
})

/** Somebody who tries the demo; `troubles` are errors of the page and what its policy has stopped. */
async function visitor(options: { email: string; width?: number; colorScheme?: 'light' | 'dark' }): Promise<{
  page: Page
  frame: FrameLocator
  troubles: string[]
  click(button: string | RegExp): Promise<void>
  see(text: string | RegExp): Promise<void>
}> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: 900 },
    colorScheme: options.colorScheme ?? 'light',
    // What appears slowly has no full contrast meanwhile.
    reducedMotion: 'reduce',
  })
  contexts.push(context)
  const page = await context.newPage()
  page.setDefaultTimeout(stepMs)
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('console', (line) => {
    if (/Content Security Policy|Refused to/i.test(line.text())) troubles.push(line.text())
  })
  await page.goto(url)
  await page.getByLabel('Email', { exact: true }).fill(options.email)
  return {
    page,
    frame: page.frameLocator('iframe[title=Wallet]'),
    troubles,
    click: (button) => page.getByRole('button', { name: button, exact: typeof button === 'string' }).click(),
    see: (text) => page.getByText(text).first().waitFor(),
  }
}

type Visitor = Awaited<ReturnType<typeof visitor>>

async function logIn({ click, see }: Visitor): Promise<void> {
  await click('Email me a code')
  await click(/^Use \d{6} from the mailbox$/)
  await see(/^You are logged in as/)
}

/** Reads the dialog to its end, as it asks for, and agrees. */
async function confirm({ frame }: Visitor): Promise<void> {
  const button = frame.getByRole('button', { name: 'Confirm', exact: true })
  await button.waitFor()
  await frame.locator('body').evaluate((body) => {
    for (const element of body.querySelectorAll('*')) element.scrollTop = element.scrollHeight
  })
  await button.click()
}

/** For a moment after a dialog has gone, the browser still hands a click to its frame. */
async function logOut({ page }: Visitor): Promise<void> {
  const button = page.getByRole('button', { name: 'Log out', exact: true })
  const isOut = async () => {
    if (await button.isVisible()) await button.click()
    return page.getByRole('button', { name: 'Email me a code' }).isVisible()
  }
  await expect.poll(isOut, { timeout: 25_000, interval: 500 }).toBe(true)
}

/** Types the newest code of the mailbox beside the story into the frame. */
async function enterMailedCode({ page, frame }: Visitor, mail: RegExp): Promise<void> {
  const field = frame.getByLabel('Six-digit code')
  await field.waitFor()
  const newest = page.getByRole('region', { name: 'Mailbox' }).getByRole('listitem').first()
  await newest.filter({ hasText: mail }).waitFor()
  const code = /\d{3} \d{3}/.exec((await newest.textContent()) ?? '')?.[0].replace(' ', '')
  await field.fill(code ?? 'none')
}

/** Looks at the private key in the frame, and leaves; answers its first spelling. */
async function readKey({ frame }: Visitor): Promise<string> {
  await frame.getByRole('button', { name: 'Show key' }).click()
  const key = (await frame.getByText(/^0x[0-9a-f]{64}$/).textContent()) ?? ''
  await frame.getByRole('button', { name: 'Done' }).click()
  return key
}

/** What every wallet of either mode goes through; `agree` is what the mode asks of the person. */
async function walk(one: Visitor, agree: () => Promise<void>): Promise<void> {
  const { click, see } = one
  await click('Create my wallet')
  await see('Cosmos Hub')
  await click('Sign')
  await agree()
  await see('Verified: the signer is your wallet.')
  await see('Your balance is 0: get 1 test ETH first.')
  expect(await one.page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
  await click('Get 1 test ETH')
  await see(/^1 ETH$/)
  await click('Send')
  await agree()
  await see('Mined: the payment is on the chain.')
  await click('Create a smart account')
  await click('Send two payments in one operation')
  await agree()
  await see(/^Confirmed: two payments/)
  await see(/^0\.018 ETH$/)
}

async function warned({ frame }: Visitor): Promise<void> {
  await frame.getByLabel(/show my key/).fill('show my key')
  await frame.getByRole('button', { name: 'Continue' }).click()
}

test('client mode: log in, sign, send, sponsored operation, refresh, lose the device, recover, sign again, take the key', {
  timeout: 120_000,
}, async () => {
  const one = await visitor({ email: 'ada@example.test' })
  const { page, click, see } = one
  await logIn(one)
  await walk(one, () => confirm(one))

  await see('This browser holds its share.')
  await click('Refresh the shares')
  await one.frame.getByRole('button', { name: 'Renew' }).click()
  await see(/^Refreshed: /)
  await see('version 2')
  await click('Forget this device')
  await one.frame.getByRole('button', { name: 'Remove' }).waitFor()
  await one.frame.getByRole('button', { name: 'Remove' }).click()
  await see(/no share: it is a new device/)
  await click('Sign')
  await see(/^device_share_missing$/)
  await click('Recover with an emailed code')
  await enterMailedCode(one, /recovery/)
  await see(/^Recovered: /)
  // What failed for lack of the share is over.
  await page.getByText(/^device_share_missing$/).waitFor({ state: 'detached' })
  await click('Sign')
  await confirm(one)
  await see('Verified: the signer is your wallet.')

  await click('Show my private key')
  await warned(one)
  const key = await readKey(one)
  await see(/^You have seen your key/)
  expect(await page.content()).not.toContain(key.slice(2))
  expect(one.troubles).toEqual([])
})

test('TEE mode: the same story without dialogs, and the key by an emailed code', {
  timeout: 90_000,
}, async () => {
  const one = await visitor({ email: 'grace@example.test' })
  await one.page.getByText('TEE mode', { exact: true }).click()
  await logIn(one)
  await walk(one, async () => {})
  await one.click('Show my private key')
  await warned(one)
  await enterMailedCode(one, /export/)
  await readKey(one)
  await one.see(/^You have seen your key/)
  expect(one.troubles).toEqual([])
})

test('a reload keeps the login and finds the wallet again; the log out ends it', async () => {
  const one = await visitor({ email: 'hedy@example.test' })
  await logIn(one)
  await one.click('Create my wallet')
  await one.see('Cosmos Hub')
  await one.page.reload()
  await one.see('Cosmos Hub')
  await one.see('This browser holds its share.')
  await one.click('Add Solana, Near, Aptos, Stellar')
  await one.click('Show my Solana key')
  await warned(one)
  await one.frame.getByRole('button', { name: 'Done' }).click()
  await logOut(one)
  await one.page.getByText('Cosmos Hub').waitFor({ state: 'detached' })
})

test.each(['light', 'dark'] as const)('nothing on the page keeps anybody out, in %s', async (colorScheme) => {
  const one = await visitor({ email: `mary-${colorScheme}@example.test`, colorScheme })
  const obstacles = async () =>
    (await axeIn(one.page.mainFrame())).violations.map(({ id, nodes }) => [id, nodes[0]?.html])
  await one.page.getByText('TEE mode', { exact: true }).click()
  await logIn(one)
  await one.click('Create my wallet')
  await one.see('Cosmos Hub')
  await one.click('Sign')
  await one.see('Verified: the signer is your wallet.')
  expect(await obstacles()).toEqual([])
})

test('a wrong code says what to do, and on a phone nothing is wider than the screen', async () => {
  const one = await visitor({ email: 'joan@example.test', width: 390 })
  await one.click('Email me a code')
  const use = one.page.getByRole('button', { name: /^Use \d{6}/ })
  const right = /\d{6}/.exec((await use.textContent()) ?? '')?.[0]
  await one.page.getByLabel('Code from the email').fill(right === '000000' ? '000001' : '000000')
  await one.click('Log in')
  await one.page.getByRole('alert').filter({ hasText: 'newest email' }).waitFor()
  await one.click(/^Use /)
  await one.click('Create my wallet')
  await one.see('Cosmos Hub')
  const folded = one.page.getByRole('button', { name: 'Show the code' })
  while ((await folded.count()) > 0) await folded.first().click()
  const widths = await one.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0)
})
