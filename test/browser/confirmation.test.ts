import { auditEventTypes } from '@symbolon/api'
import type { JsonObject } from '@symbolon/iframe/protocol'
import { forgetRates, type Tenant } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Holder, holderAt } from './support/holder.ts'
import { type Shop, startShop } from './support/shop.ts'

let shop: Shop
let tenant: Tenant
let holder: Holder
let walletId: string

beforeAll(async () => {
  shop = await startShop()
  tenant = await shop.makeTenant({ isConfirmationShown: true })
  holder = await holderAt(shop, { tenant })
  walletId = String((await holder.done('wallet.create', { curve: 'secp256k1' }))['id'])
})
afterAll(async () => {
  await holder?.close()
  await shop?.stop()
})

const request = { type: 'message', message: 'Pay 5 for tea', encoding: 'utf8' }

/** How often the platform gave the share of the wallet away. */
async function releases(): Promise<number> {
  const type = auditEventTypes.indexOf('provider_share.released')
  const [row] = await shop.app.sql<{ n: number }[]>`
    select count(*)::int as n from audit_events where wallet_id = ${walletId} and type = ${type} and success`
  return row?.n ?? 0
}

test('a signature is shown in full and made only after Confirm', async () => {
  await forgetRates(shop.app)
  const signing = holder.done('sign', { request })
  const dialog = holder.dialog.getByRole('dialog')
  await dialog.waitFor()
  expect(await dialog.textContent()).toContain('Pay 5 for tea')
  expect(await dialog.textContent()).toContain(new URL(shop.origin).host)
  expect(await releases()).toBe(0)
  await holder.dialog.getByRole('button', { name: 'Confirm' }).click()
  expect((await signing)['signature']).toMatch(/^0x/)
  expect(await releases()).toBe(1)
  expect(await dialog.count()).toBe(0)
})

test('a refused signature releases nothing: the provider share is not even asked for', async () => {
  await forgetRates(shop.app)
  const before = await releases()
  const signing = holder.failed('sign', { request })
  await holder.dialog.getByRole('button', { name: 'Reject' }).click()
  expect(await signing).toBe('user_rejected')
  expect(await releases()).toBe(before)
})

test('several requests are asked one after another, in order; the seventeenth gets an error', async () => {
  await forgetRates(shop.app)
  const reject = () => holder.dialog.getByRole('button', { name: 'Reject' }).click()
  const outcomes = Array.from({ length: 16 }, (_, i) =>
    holder.failed('sign', { request: { type: 'message', message: `number ${i}` } }),
  )
  await holder.dialog.getByRole('dialog').waitFor()
  expect(await holder.failed('key.export', { curve: 'secp256k1' })).toBe('dialog_busy')
  for (const [i, outcome] of outcomes.slice(0, 3).entries()) {
    await holder.dialog.getByText(`number ${i}`, { exact: true }).waitFor()
    await reject()
    expect(await outcome).toBe('user_rejected')
  }
  // The page gives up those that nobody has seen.
  await holder.page.evaluate(() => {
    for (let back = 13; back >= 1; back--)
      talk.send({ type: 'cancel', session: talk.session, id: talk.nextId - 1 - back })
  })
  expect(new Set(await Promise.all(outcomes.slice(3)))).toEqual(new Set(['cancelled']))
  expect(await holder.dialog.getByRole('dialog').count()).toBe(0)
})

test('a page that gives up closes the dialog, and nothing is signed', async () => {
  await forgetRates(shop.app)
  const before = await releases()
  const signing = holder.failed('sign', { request })
  await holder.dialog.getByRole('dialog').waitFor()
  await holder.page.evaluate(() => talk.send({ type: 'cancel', session: talk.session, id: talk.nextId - 1 }))
  expect(await signing).toBe('cancelled')
  expect(await holder.dialog.getByRole('dialog').count()).toBe(0)
  expect(await releases()).toBe(before)
})

test('a click within half a second of the dialog is not taken', async () => {
  await forgetRates(shop.app)
  await layFrame('')
  const first = holder.failed('sign', { request })
  await holder.dialog.getByRole('dialog').waitFor()
  await holder.page.waitForTimeout(waitMs)
  const at = await confirmAt()
  await holder.dialog.getByRole('button', { name: 'Reject' }).click()
  await first
  let afterMs = Number.NaN
  // On a busy machine a click may come late: it says nothing then, and the next one may be early.
  for (let tries = 0; tries < 20 && !(afterMs < 500); tries++) {
    await holder.reload()
    await layFrame('')
    await forgetRates(shop.app)
    const before = await releases()
    const clickedAfterMs = await watchClick()
    const signing = holder.ask('sign', { request })
    await holder.dialog.getByRole('dialog').waitFor()
    await holder.page.mouse.click(...at)
    afterMs = await clickedAfterMs()
    if (!(afterMs < 500)) continue
    await holder.dialog.getByRole('button', { name: 'Reject' }).click()
    expect((await signing).error?.code).toBe('user_rejected')
    expect(await releases()).toBe(before)
  }
  expect(afterMs).toBeLessThan(500)
})

/** Has the frame measure how long after the next dialog the next click comes, in ms; answers the way to read it: NaN for before. */
async function watchClick(): Promise<() => Promise<number>> {
  const root = holder.dialog.locator(':root')
  await root.evaluate((element) => {
    let shownAt = Number.NaN
    new MutationObserver((_, observer) => {
      if (element.querySelector('[role=dialog]') === null) return
      observer.disconnect()
      shownAt = performance.now()
    }).observe(element, { childList: true, subtree: true })
    const note = ({ timeStamp }: Event) => element.setAttribute('data-click-ms', String(timeStamp - shownAt))
    addEventListener('click', note, { capture: true, once: true })
  })
  return async () => {
    await holder.dialog.locator(':root[data-click-ms]').waitFor({ state: 'attached' })
    return Number(await root.getAttribute('data-click-ms'))
  }
}

test('the page cannot press Confirm: not by script, not through a covered or see-through frame', async () => {
  await forgetRates(shop.app)
  const before = await releases()
  const signing = holder.ask('sign', { request })
  await holder.dialog.getByRole('dialog').waitFor()
  for (const trick of ['opacity: 0.01', 'clip-path: inset(0 0 50% 0)', 'filter: blur(20px)']) {
    await layFrame(trick)
    await holder.page.waitForTimeout(waitMs)
    await press()
  }
  await layFrame('')
  await holder.page.evaluate(() => {
    const cover = document.createElement('div')
    cover.id = 'cover'
    cover.setAttribute('style', 'position:fixed;inset:0;background:white;pointer-events:none;z-index:9')
    document.body.append(cover)
  })
  await holder.page.waitForTimeout(waitMs)
  await press()
  expect(await holder.dialog.getByRole('dialog').count()).toBe(1)
  expect(await releases()).toBe(before)

  // The very same press is taken once all is in view, and has been for a while.
  await holder.page.evaluate(() => document.querySelector('#cover')?.remove())
  await holder.page.waitForTimeout(waitMs + 300)
  await press()
  expect((await signing).error).toBeUndefined()
  expect(await releases()).toBe(before + 1)
})

test('a frame that the page moves under the pointer takes no press, until the pointer has been there for a while', async () => {
  await forgetRates(shop.app)
  const before = await releases()
  await holder.page.mouse.move(5, 5)
  const signing = holder.ask('sign', { request })
  await holder.dialog.getByRole('dialog').waitFor()
  const small = 'inset:auto;width:480px;height:640px;'
  await layFrame(`${small}left:780px;top:60px`)
  await holder.page.waitForTimeout(waitMs + 300)
  const [x, y] = await confirmAt()
  const [playX, playY] = [500, 660]
  const underPlay = `${small}left:${780 + playX - x}px;top:${60 + playY - y}px`
  // The user comes to a button of the page, and the dialog comes to the user.
  await holder.page.mouse.move(playX - 200, playY, { steps: 3 })
  await holder.page.mouse.move(playX - 40, playY, { steps: 5 })
  await layFrame(underPlay)
  await holder.page.mouse.move(playX, playY, { steps: 4 })
  await holder.page.waitForTimeout(200)
  await holder.page.mouse.click(playX, playY)
  expect(await holder.dialog.getByRole('dialog').count()).toBe(1)
  expect(await releases()).toBe(before)
  await holder.page.waitForTimeout(waitMs)
  await holder.page.mouse.click(playX, playY)
  expect((await signing).error).toBeUndefined()
  expect(await releases()).toBe(before + 1)
  await layFrame('')
})

/** Longer than the dialog waits before it takes a press. */
const waitMs = 700

/** Presses the mouse where Confirm is, whatever lies over it. */
async function press(): Promise<void> {
  await holder.page.mouse.click(...(await confirmAt()))
}

async function confirmAt(): Promise<[x: number, y: number]> {
  const box = await holder.dialog.getByRole('button', { name: 'Confirm' }).boundingBox()
  if (box === null) throw new Error('There is no Confirm.')
  return [box.x + box.width / 2, box.y + box.height / 2]
}

const layFrame = (style: string) =>
  holder.page.evaluate((more) => {
    const frame = document.querySelector('iframe')
    frame?.setAttribute('style', `position:fixed;inset:0;width:100%;height:100%;border:0;${more}`)
  }, style)

test('hostile texts are shown as texts', async () => {
  await forgetRates(shop.app)
  const hostile = '<img src=x onerror=alert(1)> \u202egnirts'
  const asked: JsonObject = { type: 'message', message: hostile, encoding: 'utf8' }
  const signing = holder.failed('sign', { request: asked })
  const dialog = holder.dialog.getByRole('dialog')
  await dialog.waitFor()
  expect(await dialog.locator('img[src=x]').count()).toBe(0)
  expect(await dialog.textContent()).toContain('<img src=x onerror=alert(1)>')
  expect(await dialog.textContent()).not.toContain('\u202e')
  await holder.dialog.getByRole('button', { name: 'Reject' }).click()
  expect(await signing).toBe('user_rejected')
  expect(holder.traffic.violations).toEqual([])
  expect(holder.traffic.errors).toEqual([])
})
