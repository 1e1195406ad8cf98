import type { FrameMessage } from '@symbolon/iframe/protocol'
import { installTalk } from '@symbolon/testing/browser'
import type { BrowserContext, Page } from 'playwright-core'
import type { Shop } from './shop.ts'

/** Opens a page of an origin (the shop's by default) with the frame in it, not yet connected. */
export async function embeddedPage(shop: Shop, context: BrowserContext, origin = shop.origin): Promise<Page> {
  const page = await context.newPage()
  await page.goto(origin)
  await installTalk(page)
  await page.evaluate((url) => talk.embed(url), shop.frameUrl())
  return page
}

/** Opens a page of the shop that is connected to its frame. */
export async function connectedPage(shop: Shop, context: BrowserContext): Promise<Page> {
  const page = await embeddedPage(shop, context)
  const first = await page.evaluate(() => talk.connect())
  if (first?.type !== 'connected') throw new Error(`The frame said ${JSON.stringify(first)}`)
  return page
}

/** The code of a failed answer; whatever else it is, as it is. */
export const codeOf = (message: FrameMessage | null): unknown =>
  message !== null && message.type === 'answer' && 'error' in message ? message.error.code : message
