import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { launchChromium, watchTraffic } from '@symbolon/testing/browser'
import { type DevJson, dataFolder, type StartedPlatform, startedPlatform } from '@symbolon/testing/platform'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = dataFolder()
let platform: StartedPlatform
let browser: Browser
let dev: DevJson

beforeAll(async () => {
  ;[platform, browser] = await Promise.all([
    startedPlatform({ dataFolder: folder.path, environment: { WORKERS: '1' } }),
    launchChromium(),
  ])
  dev = await platform.ready()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  platform?.launcher.kill('SIGTERM')
  await platform?.ended()
  folder.remove()
})

/** Where somebody wants to look at the pages afterwards. */
const shots = process.env['SYMBOLON_SCREENSHOTS']

/** Every page of ours, and how one knows that it is there. */
const pages = (): [name: string, url: string, shows: string][] => {
  const key = dev.organizations.client.publishable_key
  return [
    ['portal', dev.portal_url, 'body'],
    ['login', `${dev.base_url}/v1/auth/login`, 'input[name=email]'],
    ['demo', dev.demo_url, 'h1'],
    ['mailbox', `${dev.base_url}/dev/mailbox`, '#messages'],
    ['reference', `${dev.base_url}/reference`, 'h1'],
    ['guides', `${dev.base_url}/docs/guides/client-mode`, 'h1'],
    ['error', `${dev.base_url}/docs/errors/not_found`, 'h1'],
    ['frame', `${dev.frame_url}/frame?publishable_key=${key}`, 'body'],
    ['frame-alone', `${dev.frame_url}/`, 'h1'],
    ['link', `${dev.base_url}/links/${'0'.repeat(64)}`, 'h1'],
  ]
}

test.each(['light', 'dark'] as const)(
  'every page of ours keeps a strict policy, in %s',
  async (colorScheme) => {
    for (const [name, url, shows] of pages()) {
      const context = await browser.newContext({ colorScheme })
      const traffic = await watchTraffic(context)
      const page = await context.newPage()
      const answer = await page.goto(url)
      await page.locator(shows).first().waitFor({ state: 'attached' })
      const policy = answer?.headers()['content-security-policy'] ?? ''
      expect([name, policy]).toEqual([name, expect.stringMatching(/^default-src 'none';/)])
      expect([name, policy]).toEqual([name, expect.stringContaining("require-trusted-types-for 'script'")])
      expect([name, policy]).toEqual([name, expect.stringContaining("base-uri 'none'")])
      expect([name, policy]).toEqual([name, expect.not.stringMatching(/unsafe-inline|unsafe-eval| \*/)])
      expect([name, traffic.violations, traffic.errors]).toEqual([name, [], []])
      if (shots !== undefined) {
        mkdirSync(shots, { recursive: true })
        await page.screenshot({ path: path.join(shots, `policies-${name}-${colorScheme}.png`) })
      }
      await context.close()
    }
  },
)
