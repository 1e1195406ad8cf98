import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  address,
  armedMs,
  dialogBrowser,
  isDisabled,
  pageOrigin,
  transfer,
} from './support/dialog-browser.ts'
import { sampleConfirm } from './support/dialog-page.ts'
import { keepPicture } from './support/look-at.ts'

const open = dialogBrowser()

describe('a signature is confirmed on purpose only', () => {
  test('no click confirms within the first half second, no script ever does; Reject rejects at once', async () => {
    const { stage, named, outcome, page } = await open()
    await stage.call('confirm', sampleConfirm())
    while ((await outcome()) === 'open') {
      await named('Confirm').dispatchEvent('click')
      const box = await named('Confirm').boundingBox()
      if (box !== null) await page.mouse.click(box.x + 20, box.y + 20)
    }
    await expect.poll(outcome).toBe(true)
    expect(await stage.call('lastedMs')).toBeGreaterThanOrEqual(500)
    await stage.call('confirm', sampleConfirm())
    await page.waitForTimeout(armedMs)
    await named('Confirm').dispatchEvent('click')
    expect(await outcome()).toBe('open')
    await named('Reject').click()
    await expect.poll(outcome).toBe(false)
    await expect.poll(async () => (await stage.call('opened')).at(-1)).toBe(false)
  })

  test('a key or button held since before the dialog confirms nothing; a fresh press does', async () => {
    const { stage, named, outcome, page } = await open()
    await page.keyboard.down('Enter')
    await stage.call('confirm', sampleConfirm())
    await page.waitForTimeout(armedMs)
    await named('Confirm').focus()
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    expect(await outcome()).toBe('open')
    const box = await named('Confirm').boundingBox()
    if (box === null) throw new Error('Confirm is not shown.')
    await stage.call('abort')
    await page.mouse.move(box.x + 20, box.y + 20)
    await page.mouse.down()
    await stage.call('confirm', sampleConfirm())
    await page.waitForTimeout(armedMs)
    await page.mouse.up()
    expect(await outcome()).toBe('open')
    await named('Confirm').focus()
    await page.keyboard.press('Enter')
    await expect.poll(outcome).toBe(true)
  })

  test('Confirm waits while the page covers the dialog, makes it see-through or clips it, and starts anew after', async () => {
    const { stage, frame, named, outcome, page } = await open()
    await stage.call('confirm', sampleConfirm())
    await expect.poll(() => isDisabled(frame, 'Confirm')).toBeNull()
    const disturbances = [
      "const cover = document.createElement('div'); cover.id = 'cover'; cover.popover = 'manual'; cover.style.cssText = 'position:fixed;left:45%;top:45%;width:90px;height:30px;background:#fff;pointer-events:none'; document.body.append(cover); cover.showPopover()",
      "frame.style.opacity = '0.6'",
      "frame.style.transform = 'scale(0.5)'",
      "frame.style.clipPath = 'inset(0 0 50% 0)'",
    ]
    for (const disturbance of disturbances) {
      await page.evaluate(disturbance)
      await expect.poll(() => isDisabled(frame, 'Confirm'), { message: disturbance }).toBe('true')
      await page.evaluate(
        "document.getElementById('cover')?.remove(); Object.assign(frame.style, { opacity: '', transform: '', clipPath: '' })",
      )
      await expect.poll(() => isDisabled(frame, 'Confirm')).toBeNull()
    }
    await page.evaluate("frame.style.opacity = '0.6'")
    await frame.getByText('Something covers or alters this window.').waitFor()
    await page.evaluate("frame.style.opacity = ''")
    await expect.poll(() => isDisabled(frame, 'Confirm')).toBeNull()
    expect(await outcome()).toBe('open')
    await named('Confirm').click()
    await expect.poll(outcome).toBe(true)
  })

  test('a frame that the page resizes under the pointer starts the half second anew', async () => {
    const { stage, frame, page } = await open()
    await stage.call('confirm', sampleConfirm())
    await expect.poll(() => isDisabled(frame, 'Confirm')).toBeNull()
    await page.setViewportSize({ width: 1000, height: 700 })
    await expect.poll(() => isDisabled(frame, 'Confirm'), { interval: 10 }).toBe('true')
    await expect.poll(() => isDisabled(frame, 'Confirm')).toBeNull()
  })

  test('a long list is confirmed only when it was scrolled to its end', async () => {
    const { stage, frame, named, page, outcome } = await open({ viewport: { width: 360, height: 640 } })
    const actions = Array.from({ length: 40 }, () => transfer)
    await stage.call('confirm', sampleConfirm({ preview: { title: 'Send 1.5 ETH and 39 more', actions } }))
    await page.waitForTimeout(armedMs)
    expect(await isDisabled(frame, 'Confirm')).toBe('true')
    await frame.getByText('Scroll to the end to confirm.').waitFor()
    await named('Confirm').click({ force: true })
    expect(await outcome()).toBe('open')
    await frame.locator('.content').focus()
    await page.keyboard.press('End')
    await expect.poll(() => isDisabled(frame, 'Confirm')).toBeNull()
    await named('Confirm').click()
    await expect.poll(outcome).toBe(true)
  })
})

describe('keyboard and closing', () => {
  test('the heading is focused first, Tab and Shift+Tab stay inside, Escape is a no', async () => {
    const { stage, frame, page, outcome } = await open()
    await stage.call('confirm', sampleConfirm())
    const focused = () => frame.evaluate(() => document.activeElement?.textContent)
    expect(await focused()).toBe('Send 1.5 ETH')
    const seen: unknown[] = []
    for (let press = 0; press < 6; press += 1) {
      await page.keyboard.press('Tab')
      seen.push(await focused())
    }
    expect(seen).toEqual(['Raw transaction', 'Reject', 'Confirm', 'Raw transaction', 'Reject', 'Confirm'])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    expect(await focused()).toBe('Confirm')
    await page.keyboard.press('Escape')
    await expect.poll(outcome).toBe(false)
  })

  test('a dialog that opens before the page shows the frame has the keyboard once it is shown', async () => {
    const { stage, frame, page, named, outcome } = await open()
    await page.evaluate('show(false)')
    await stage.call('confirm', sampleConfirm())
    await page.waitForTimeout(armedMs)
    expect(await isDisabled(frame, 'Confirm')).toBe('true')
    await page.evaluate('show(true)')
    await expect
      .poll(() => frame.evaluate(() => document.hasFocus() && document.activeElement?.textContent))
      .toBe('Send 1.5 ETH')
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => isDisabled(frame, 'Confirm')).toBeNull()
    expect(await named('Confirm').evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Space')
    await expect.poll(outcome).toBe(true)
  })

  test('an aborted request closes its dialog and rejects with the reason', async () => {
    const { stage, frame, outcome } = await open()
    await stage.call('confirm', sampleConfirm())
    await stage.call('abort')
    await expect.poll(outcome).toBe('cancelled')
    expect(await frame.getByRole('dialog').count()).toBe(0)
    await expect.poll(() => stage.call('opened')).toEqual([true, false])
  })

  test('something quick shows nothing, something slow a busy dialog that gives way to the next one', async () => {
    const { stage, frame, page } = await open()
    await stage.call('busy', 'Working…')
    await stage.call('abort')
    // Longer than a busy dialog is held back: it must not come any more.
    await page.waitForTimeout(300)
    expect(await stage.call('opened')).toEqual([])
    await stage.call('busy', 'Working…')
    await frame.getByRole('dialog', { name: 'Working…' }).waitFor()
    await stage.call('confirm', sampleConfirm())
    expect(await frame.getByRole('dialog').count()).toBe(1)
    expect(await stage.call('opened')).toEqual([true])
  })
})

/** Presses as a person does: once more where the dialog did not take the first press for one that was meant, as right after it opened. */
const pressUntilClosed = (button: Locator, outcome: () => Promise<unknown>) =>
  expect
    .poll(
      async () => {
        await button.click({ timeout: 2_000 }).catch(() => {})
        return outcome()
      },
      { interval: 700 },
    )
    .toBe(undefined)

test.each([
  ['recovery', 'light', 360],
  ['export', 'dark', 360],
  ['recovery', 'dark', 1280],
  ['export', 'light', 1280],
] as const)(
  'the wait of a new device (%s, %s, %i px) fits, says until when and how to cancel, and ends with its button',
  async (purpose, colorScheme, width) => {
    const { stage, frame, named, outcome, page, errors } = await open({
      colorScheme,
      viewport: { width, height: 640 },
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
    })
    const readyAt = new Date('2026-11-28T17:05:00.000Z')
    await stage.call('tellWait', { purpose, pageOrigin, readyAt })
    const dialog = frame.getByRole('dialog', { name: `Your ${purpose} has to wait` })
    const text = await dialog.textContent({ timeout: 10_000 })
    await keepPicture(page, `wait-${purpose}-${colorScheme}-${width}`)
    expect(text).toMatch(/Saturday,? 28 November 2026 at 18:05/)
    expect(text).toContain(`Cancel the ${purpose} with the link in the email`)
    const { scrolls, beyond } = await frame.evaluate(() => {
      const content = document.querySelector('.content')
      if (content === null) throw new Error('The dialog has no content.')
      return {
        scrolls: content.scrollHeight - content.clientHeight,
        beyond: content.scrollWidth - content.clientWidth,
      }
    })
    expect([scrolls, beyond]).toEqual([0, 0])
    await pressUntilClosed(named('Got it'), outcome)
    expect(errors).toEqual([])
  },
)

test.each([
  ['light', 360, 'partial', /Not sent(?! yet)/],
  ['dark', 1280, 'pending', /Not sent yet/],
] as const)(
  'calls that were sent one by one (%s, %i px) are shown with what became of each',
  async (colorScheme, width, status, unsent) => {
    const { stage, frame, named, outcome, page, errors } = await open({
      colorScheme,
      viewport: { width, height: 740 },
    })
    const calls = [
      { title: 'Send 1.5 ETH', to: address, hash: `0x${'ab'.repeat(32)}` },
      { title: 'Allow to spend 100 USDC', to: address, hash: null },
    ]
    await stage.call('tellCalls', { pageOrigin, chain: 'base', calls, status })
    const text = await frame.getByRole('dialog', { name: '2 calls' }).textContent({ timeout: 10_000 })
    await keepPicture(page, `calls-${colorScheme}-${width}`)
    expect(text).toContain('Send 1.5 ETH')
    expect(text).toMatch(unsent)
    expect(await frame.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    await pressUntilClosed(named('Close'), outcome)
    await stage.call(
      'confirm',
      sampleConfirm({ subject: 'calls', preview: { title: '2 calls', actions: [transfer, transfer] } }),
    )
    await named('Confirm').waitFor()
    await keepPicture(page, `calls-agree-${colorScheme}-${width}`)
    expect(await frame.getByRole('dialog').textContent()).toContain(
      'If one fails, those before it stay in effect',
    )
    await named('Reject').click()
    expect(errors).toEqual([])
  },
)

describe('dialogs show the truth', () => {
  test('hostile texts stay texts: markup, directions, look-alike origins, endless lines', async () => {
    const { stage, frame, page, errors } = await open({ viewport: { width: 360, height: 740 } })
    const markup = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
    await stage.call(
      'confirm',
      sampleConfirm({
        pageOrigin: 'https://xn--pple-43d.example',
        message: `${markup}\u202eHTE 5.1\u200b`,
        details: [{ label: markup, text: 'x'.repeat(50_000) }],
        preview: {
          title: `${markup}\u202e${'W'.repeat(400)}`,
          warnings: [markup, `${'w'.repeat(5000)}`],
          actions: [
            {
              kind: 'unknown',
              to: `a\u202e${'y'.repeat(300)}`,
              asset: markup,
              amount: '9'.repeat(200),
              amount_display: null,
              method: markup,
              args: { [markup]: markup, long: 'z'.repeat(5000) },
            },
          ],
        },
      }),
    )
    const dialog = frame.getByRole('dialog')
    const text = (await dialog.textContent()) ?? ''
    expect(text).toContain(`${markup}⟨U+202E⟩HTE 5.1⟨U+200B⟩`)
    expect(text).not.toMatch(/[\u202e\u200b]/)
    expect(text).toContain('https://xn--pple-43d.example')
    expect(await dialog.locator('img, script').count()).toBe(0)
    expect(await frame.evaluate(() => 'hacked' in window)).toBe(false)
    const width = await frame.evaluate(() => document.querySelector('.content')?.scrollWidth)
    expect(width).toBeLessThanOrEqual(360)
    const footer = await frame.getByRole('button', { name: 'Reject' }).boundingBox()
    expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBeLessThanOrEqual(740)
    await page.keyboard.press('Escape')
    expect(errors).toEqual([])
  })

  test.each(['light', 'dark'] as const)(
    'around a dialog the page shows through, in %s',
    async (colorScheme) => {
      const { stage, page } = await open({ colorScheme })
      await stage.call('confirm', sampleConfirm())
      const corner = async (colour: string) => {
        await page.evaluate((background) => {
          document.body.style.background = background
        }, colour)
        return (await page.screenshot({ clip: { x: 2, y: 780, width: 8, height: 8 } })).toString('base64')
      }
      expect(await corner('red')).not.toBe(await corner('blue'))
    },
  )

  test('every recipient stands there in full and is copied without gaps', async () => {
    const { stage, frame } = await open()
    await stage.call('confirm', sampleConfirm())
    const shown = frame.locator('.action .address')
    expect(await shown.textContent()).toBe(address)
    expect(await shown.locator('.chunk').count()).toBe(10)
    expect(await frame.getByRole('dialog').textContent()).toContain('Highest fee0.000042 ETH')
  })

  test('the payer of the fee stands beside it unless it is the wallet', async () => {
    const { stage, frame } = await open()
    await stage.call('confirm', sampleConfirm({ subject: 'operation', feePaidBy: 'Northwind <b>Bank</b>' }))
    expect(await frame.getByRole('dialog').textContent()).toContain(
      'Highest fee0.000042 ETH, paid by Northwind <b>Bank</b>, not by you',
    )
  })

  test('unknown effects and a login to another host are said loudly', async () => {
    const { stage, frame } = await open()
    const unknown = { ...transfer, kind: 'unknown', method: '0xdeadbeef', amount_display: null } as const
    await stage.call('confirm', sampleConfirm({ preview: { title: 'Unknown call', actions: [unknown] } }))
    await frame.getByText('Do not confirm unless you know exactly what this does').waitFor()
    await frame.getByText('It could move everything you have.').waitFor()
    await stage.call('abort')
    const message = `bank.example wants you to sign in with your Ethereum account:\n${address}\n`
    const preview = { title: 'Sign message', actions: [], fee: null }
    await stage.call('confirm', sampleConfirm({ message, preview }))
    await frame.getByText('This logs in to bank.example, but app.northwind.example asks for it.').waitFor()
  })
})
