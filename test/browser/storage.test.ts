import { shareStorageContract } from '@symbolon/iframe/testing'
import { bundled, launchChromium, type Pages, pageWith, startPages } from '@symbolon/testing/browser'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

let browser: Browser
let pages: Pages

beforeAll(async () => {
  ;[browser, pages] = await Promise.all([launchChromium(), startPages()])
  pages.serve('/kit.js', await bundled('test/browser/support/storage-kit.ts'))
  pages.serve('/', pageWith('<script type="module" src="/kit.js"></script>'))
})
afterAll(async () => {
  await browser?.close()
  await pages?.close()
})

test.each(shareStorageContract.map(({ name }) => name))('in IndexedDB: %s', async (name) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(pages.origin())
  await page.waitForFunction(() => 'storageKit' in globalThis)
  await page.evaluate(async (wanted) => {
    const storage = await storageKit.indexedDbStorage(indexedDB)
    await storageKit.shareStorageContract.find((promise) => promise.name === wanted)?.run(storage)
  }, name)
  await context.close()
})

test('two tabs that open the storage for the first time at once get one key, and each reads what the other wrote', async () => {
  const context = await browser.newContext()
  const tabs = await Promise.all([context.newPage(), context.newPage()])
  for (const tab of tabs) {
    await tab.goto(pages.origin())
    await tab.waitForFunction(() => 'storageKit' in globalThis)
  }
  const sealed = await Promise.all(
    tabs.map((tab) =>
      tab.evaluate(async () => {
        const storage = await storageKit.indexedDbStorage(indexedDB)
        const algorithm = { name: 'AES-GCM', iv: new Uint8Array(12) }
        const bytes = await crypto.subtle.encrypt(algorithm, await storage.key(), new Uint8Array(33))
        return [...new Uint8Array(bytes)].join()
      }),
    ),
  )
  expect(sealed[0]).toBe(sealed[1])
  await context.close()
})
