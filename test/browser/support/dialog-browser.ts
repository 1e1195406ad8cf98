import { launchChromium, type Pages, startPages } from '@symbolon/testing/browser'
import type { Browser, Frame } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { openDialogs, sampleConfirm, serveDialogs } from './dialog-page.ts'

/** The page that asks, in the samples. */
export const pageOrigin = 'https://app.northwind.example'

/** The recipient of the sample transfer, and the address of the sample wallet. */
export const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Past the guard of 500 ms and the observer's delay. */
export const armedMs = 900

/** The action of the sample confirmation. */
export const transfer = sampleTransfer()

/** One browser for a test file; the answer opens the dialogs over a shop in a context of their own, until the test ends. */
export function dialogBrowser() {
  let browser: Browser
  let pages: Pages

  beforeAll(async () => {
    ;[browser, pages] = await Promise.all([launchChromium(), startPages()])
    await serveDialogs(pages)
  })

  afterAll(async () => {
    await browser.close()
    await pages.close()
  })

  return async (options: Parameters<typeof openDialogs>[2] = {}) => {
    const opened = await openDialogs(browser, pages, options)
    onTestFinished(opened.close)
    const errors: string[] = []
    opened.page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    const { frame, stage } = opened
    const named = (name: string) => frame.getByRole('button', { name, exact: true })
    return { ...opened, errors, named, outcome: () => stage.call('outcome') }
  }
}

/** `'true'` while a button takes nothing, otherwise null. */
export const isDisabled = (frame: Frame, name: string) =>
  frame.getByRole('button', { name, exact: true }).getAttribute('aria-disabled')

function sampleTransfer() {
  const [action] = sampleConfirm().preview.actions
  if (action === undefined) throw new Error('The sample has no action.')
  return action
}
