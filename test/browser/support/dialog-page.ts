import type { ConfirmView } from '@symbolon/iframe/testing'
import { bundled, type Pages, pageWith } from '@symbolon/testing/browser'
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { vaultStyle } from '../../../scripts/build/iframe.ts'
import type { DialogStage, StageWindow } from './dialog-stage.ts'

/** Stricter than or equal to the frame's own policy: nothing inline, and no text becomes markup. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"

/** Serves the dialogs at `/frame` and, at `/`, a shop with the frame laid over it as the SDK does. */
export async function serveDialogs(pages: Pages): Promise<void> {
  pages.serve('/vault.css', { body: vaultStyle(), type: 'text/css' })
  pages.serve('/stage.js', await bundled('test/browser/support/dialog-stage.ts'))
  const head = '<link rel="stylesheet" href="/vault.css"><script type="module" src="/stage.js"></script>'
  pages.serve('/frame', {
    body: pageWith('<div id="root"></div>', head),
    type: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': policy },
  })
  pages.serve('/shop.js', await bundled('test/browser/support/dialog-shop.ts'))
  const shop = `<h1>Shop</h1><p>${'Things to buy. '.repeat(200)}</p>`
  pages.serve('/', pageWith(shop, '<script type="module" src="/shop.js"></script>'))
}

/** A shop with the dialogs over it, in a context of its own. */
export async function openDialogs(
  browser: Browser,
  pages: Pages,
  options: BrowserContextOptions & { brand?: string } = {},
): Promise<{ page: Page; frame: Frame; stage: StageCalls; close(): Promise<void> }> {
  const { brand, ...contextOptions } = options
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...contextOptions })
  const page = await context.newPage()
  await page.goto(`${pages.origin()}/?${new URLSearchParams(brand === undefined ? {} : { brand })}`)
  await page.waitForFunction(() => 'frame' in window)
  const frame = page.frames().find((each) => each !== page.mainFrame())
  if (frame === undefined) throw new Error('There is no frame.')
  await frame.waitForURL(`${pages.origin('vault.localhost')}/**`)
  await frame.waitForFunction(() => 'stage' in window)
  return { page, frame, stage: stageCalls(frame), close: () => context.close() }
}

type StageCalls = {
  call<name extends keyof DialogStage>(
    name: name,
    ...args: Parameters<DialogStage[name]>
  ): Promise<Awaited<ReturnType<DialogStage[name]>>>
}

function stageCalls(frame: Frame): StageCalls {
  return {
    call: (name, ...args) =>
      frame.evaluate(
        ([method, values]) =>
          Reflect.apply((window as unknown as StageWindow).stage[method], undefined, values),
        [name, args] as const,
      ) as never,
  }
}

/** A plain transfer of native currency, changed as given. */
export function sampleConfirm(
  changed: Omit<Partial<ConfirmView>, 'preview'> & { preview?: Partial<ConfirmView['preview']> } = {},
): ConfirmView {
  const { preview, ...rest } = changed
  return {
    pageOrigin: 'https://app.northwind.example',
    subject: 'transaction',
    chainId: 8453,
    nativeAsset: { symbol: 'ETH', decimals: 18 },
    feePaidBy: null,
    message: null,
    details: [{ label: 'Raw transaction', text: '0x02f87083014a34808459682f00' }],
    ...rest,
    preview: {
      title: 'Send 1.5 ETH',
      chain: 'base',
      from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      actions: [
        {
          kind: 'transfer',
          to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
          asset: 'ETH',
          amount: '1500000000000000000',
          amount_display: '1.5 ETH',
          method: null,
          args: null,
        },
      ],
      fee: { asset: 'ETH', amount: '42000000000000' },
      warnings: [],
      expires_at: null,
      ...preview,
    },
  }
}
