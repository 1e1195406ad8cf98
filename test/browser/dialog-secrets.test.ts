import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeIn } from './support/axe-in.ts'
import {
  address,
  armedMs,
  dialogBrowser,
  isDisabled,
  pageOrigin,
  transfer,
} from './support/dialog-browser.ts'
import { sampleConfirm } from './support/dialog-page.ts'

const wallet = { curve: 'secp256k1', pageOrigin, addresses: [{ label: 'Ethereum', address }] } as const
const key = `0x${'5eed'.repeat(16)}`
const code = { purpose: 'recovery', pageOrigin, resendAfterMs: 30_000 } as const

const open = dialogBrowser()

/** The elements that rules of axe speak of, as HTML. */
const htmlOf = (rules: { nodes: { html: string }[] }[]) =>
  rules.flatMap(({ nodes }) => nodes.map(({ html }) => html))

describe('codes', () => {
  test('six digits go off by themselves, pasted ones with gaps too; a wrong one says how many tries are left', async () => {
    const { stage, frame, outcome } = await open()
    await stage.call('askCode', code, '123456')
    const field = frame.getByLabel('Six-digit code')
    expect(await field.getAttribute('autocomplete')).toBe('one-time-code')
    await field.pressSequentially('11a1-111')
    await frame.getByText('This code is not right. 4 tries are left.').waitFor()
    expect(await field.inputValue()).toBe('')
    await field.fill('123 456')
    await expect.poll(outcome).toBe(true)
  })

  test('a new code can be asked for when the countdown is over; a locked process closes the dialog', async () => {
    const { stage, frame, named, outcome } = await open()
    await stage.call('askCode', { ...code, resendAfterMs: 1200 }, '123456', 1)
    await frame.getByRole('button', { name: /Send a new code in \d s/ }).click({ force: true })
    expect(await stage.call('resent')).toBe(0)
    await named('Send a new code').click()
    await frame.getByText('A new code is on its way.').waitFor()
    expect(await stage.call('resent')).toBe(1)
    expect(await frame.getByRole('button', { name: /Send a new code in/ }).count()).toBe(1)
    await frame.getByLabel('Six-digit code').fill('999999')
    await expect.poll(outcome).toBe('locked')
  })
})

describe('keys', () => {
  test('an export goes on only after its phrase was typed', async () => {
    const { stage, frame, named, outcome, page } = await open()
    await stage.call('warnExport', wallet)
    await page.waitForTimeout(armedMs)
    await named('Continue').click({ force: true })
    expect(await outcome()).toBe('open')
    await frame.getByLabel('Type “show my key” to continue').fill('Show my key')
    await named('Continue').click()
    await expect.poll(outcome).toBe(true)
  })

  test('a revealed key is in the document only while it is shown, and nowhere after the dialog closed', async () => {
    const { stage, frame, named, outcome } = await open()
    await stage.call('reveal', wallet, { Hex: key, WIF: `WIF${key}` })
    const holds = () => frame.evaluate((secret) => document.documentElement.outerHTML.includes(secret), key)
    expect(await holds()).toBe(false)
    await expect.poll(() => isDisabled(frame, 'Show key')).toBeNull()
    await named('Show key').click()
    expect(await holds()).toBe(true)
    await named('WIF').click()
    expect(await holds()).toBe(false)
    await named('Show key').click()
    const node = await frame.locator('.secret-text').elementHandle()
    expect(await node?.textContent()).toBe(`WIF${key}`)
    await named('Done').click()
    await expect.poll(outcome).toBe(true)
    expect(await holds()).toBe(false)
    expect(await node?.textContent()).toBe('')
  })

  test('a copied key counts as revealed and can be cleared from the clipboard; an untouched one does not', async () => {
    const { stage, page, named, outcome, frame } = await open({
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await stage.call('reveal', wallet, { Hex: key })
    await expect.poll(() => isDisabled(frame, 'Copy')).toBeNull()
    await named('Copy').click()
    await frame.getByText('Copied.').waitFor()
    await named('Clear clipboard').click()
    await frame.getByText('The clipboard is cleared.').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(outcome).toBe(true)
    await stage.call('reveal', wallet, { Hex: key })
    await page.keyboard.press('Escape')
    await expect.poll(outcome).toBe(false)
  })

  test('an entered key is masked without a password field, shows its addresses at once and is gone after closing', async () => {
    const { stage, frame, named, outcome, page } = await open()
    await stage.call('askKey', pageOrigin)
    const field = frame.getByLabel('Private key', { exact: true })
    expect(await field.getAttribute('type')).toBe('text')
    expect(
      await field.evaluate((input) => getComputedStyle(input).getPropertyValue('-webkit-text-security')),
    ).toBe('disc')
    await page.waitForTimeout(armedMs)
    await field.fill('hello')
    await frame.getByText('This is not a private key.').waitFor()
    await named('Import key').click({ force: true })
    expect(await outcome()).toBe('open')
    await field.fill(` ${key} `)
    expect(await frame.locator('.found .address').textContent()).toBe(address)
    const node = await field.elementHandle()
    await named('Import key').click()
    await expect.poll(outcome).toBe(key)
    expect(await node?.inputValue()).toBe('')
  })
})

describe('everybody can use it', () => {
  test.each(['light', 'dark'] as const)(
    'axe finds nothing in any dialog, in %s and a colour of the organization',
    async (colorScheme) => {
      const brand = colorScheme === 'light' ? '#f5b301' : '#7a1fa2'
      const { stage, frame } = await open({ colorScheme, brand })
      const unknown = { ...transfer, kind: 'unknown', args: { data: '0x00' } } as const
      const preview = { warnings: ['Look.'], actions: [unknown, { ...transfer, kind: 'approval' } as const] }
      const calls: (() => Promise<unknown>)[] = [
        () => stage.call('confirm', sampleConfirm({ message: 'hello', preview })),
        () => stage.call('askCode', code, '123456'),
        () => stage.call('askKey', pageOrigin),
        () => stage.call('warnExport', wallet),
        () => stage.call('reveal', wallet, { Hex: key, WIF: key }),
      ]
      for (const call of calls) {
        await call()
        await frame.getByRole('dialog').waitFor()
        await frame.waitForFunction(() =>
          document.getAnimations().every(({ playState }) => playState === 'finished'),
        )
        // What does not depend on colours was looked at in the light.
        const runOnly = colorScheme === 'dark' ? ['color-contrast'] : undefined
        const { passes, violations } = await axeIn(frame, runOnly === undefined ? {} : { runOnly })
        expect(htmlOf(passes).join()).toContain('class="heading"')
        expect(violations.map(({ id, nodes }) => [id, htmlOf([{ nodes }])])).toEqual([])
        await stage.call('abort')
      }
    },
  )

  /** Whether an element of the dialog's content can be seen in full: not cut, nor under the actions. */
  const isInFull = (element: Locator) =>
    element.evaluate((node) => {
      const view = node.closest('.content')?.getBoundingClientRect()
      const { top, bottom } = node.getBoundingClientRect()
      return view !== undefined && top >= view.top && bottom <= view.bottom
    })

  test.each([480, 568])(
    'on a phone of %i pixels the field with the focus and a new message are in view',
    async (height) => {
      const { stage, frame, named, page } = await open({
        viewport: { width: 320, height },
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      await stage.call('warnExport', wallet)
      const field = frame.getByLabel('Type “show my key” to continue')
      await page.waitForTimeout(armedMs)
      // Only its upper half can be seen, and is tapped.
      const half = await field.evaluate((input) => {
        const content = input.closest('.content')
        const { top, height, left } = input.getBoundingClientRect()
        const bottom = content?.getBoundingClientRect().bottom ?? 0
        content?.scrollBy(0, top + height / 2 - bottom)
        return { x: left + 40, y: input.getBoundingClientRect().top + 8 }
      })
      expect(await isInFull(field)).toBe(false)
      const box = await page.locator('iframe').boundingBox()
      await page.mouse.click((box?.x ?? 0) + half.x, (box?.y ?? 0) + half.y)
      await expect.poll(() => isInFull(field)).toBe(true)
      await page.setViewportSize({ width: 320, height: height - 100 })
      await expect.poll(() => isInFull(field)).toBe(true)
      await stage.call('abort')
      await page.setViewportSize({ width: 320, height })
      await stage.call('askKey', pageOrigin)
      await expect.poll(() => isInFull(frame.getByLabel('Private key', { exact: true }))).toBe(true)
      await stage.call('abort')
      await stage.call('reveal', wallet, { Hex: key, WIF: key })
      await expect.poll(() => isDisabled(frame, 'Copy')).toBeNull()
      await named('Copy').click()
      await expect.poll(() => isInFull(frame.getByText('Copied.'))).toBe(true)
    },
  )

  test('every control is at least 44 pixels high', async () => {
    // A panel on its way in is measured through its shift, which costs digits: 43.99997.
    const { stage, frame } = await open({
      viewport: { width: 360, height: 740 },
      reducedMotion: 'reduce',
    })
    await stage.call('reveal', wallet, { Hex: key, WIF: key })
    const heights = await frame
      .locator('button, summary, input')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height))
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
  })
})
