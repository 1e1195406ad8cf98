import type { JsonObject } from '@symbolon/iframe/protocol'
import { forgetRates } from '@symbolon/testing/app'
import { installTalk } from '@symbolon/testing/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Holder, holderAt } from './support/holder.ts'
import { type Shop, startShop } from './support/shop.ts'

let shop: Shop
let holder: Holder

beforeAll(async () => {
  shop = await startShop()
  const tenant = await shop.makeTenant({ isConfirmationShown: true })
  // A window of its own size: a popup can be moved.
  holder = await holderAt(shop, { tenant, browserOptions: { viewport: null } })
  await holder.done('wallet.create', { curve: 'secp256k1' })
})
afterAll(async () => {
  await holder?.close()
  await shop?.stop()
})

const request: JsonObject = { type: 'message', message: 'Pay 5 for tea', encoding: 'utf8' }
/** Longer than the dialog waits before it takes a press. */
const waitMs = 700

/** A popup of the page that the frame fills. */
async function openPopup(): Promise<Page> {
  const [popup] = await Promise.all([
    holder.context.waitForEvent('page'),
    holder.page.evaluate(() => {
      Object.assign(window, { popup: window.open('/', 'popup', 'popup,width=500,height=700,left=700,top=0') })
    }),
  ])
  await popup.waitForLoadState()
  await installTalk(popup)
  await popup.evaluate(
    async ([url, bearer]) => {
      await talk.embed(url)
      await talk.connect()
      const style = 'position:fixed;inset:0;width:100%;height:100%;border:0'
      document.querySelector('iframe')?.setAttribute('style', style)
      return talk.request('session.set', { token: bearer })
    },
    [shop.frameUrl(holder.user.pk), holder.user.token] as const,
  )
  return popup
}

test('a popup that its opener moves under the pointer takes no press, until it has stood there for a while', async () => {
  await forgetRates(shop.app)
  const popup = await openPopup()
  const moveTo = async (x: number) => {
    await holder.page.evaluate((left) => (Reflect.get(window, 'popup') as Window).moveTo(left, 100), x)
    await expect.poll(() => popup.evaluate(() => screenX)).toBe(x)
  }
  const signing = popup.evaluate((asked) => talk.request('sign', { request: asked }, 30_000), request)
  const dialog = popup.frameLocator('iframe')
  const confirm = dialog.getByRole('button', { name: 'Confirm' })
  await dialog.getByRole('dialog').waitFor()
  await popup.waitForTimeout(waitMs + 300)
  const box = await confirm.boundingBox()
  if (box === null) throw new Error('There is no Confirm.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const press = async () => {
    await popup.mouse.move(x - 6, y)
    await popup.mouse.click(x, y)
  }
  await moveTo(100)
  await press()
  expect(await dialog.getByRole('dialog').count()).toBe(1)
  // Nor the next press, which would be taken in a window that stands.
  await popup.waitForTimeout(waitMs)
  await moveTo(300)
  await press()
  expect(await dialog.getByRole('dialog').count()).toBe(1)
  await popup.waitForTimeout(waitMs)
  await press()
  expect(await signing).toMatchObject({ result: { signature: expect.stringMatching(/^0x/) } })
})
