import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { axeIn } from './axe-in.ts'
import type { Visitor } from './portal-fixture.ts'

/** Where a person wants to look at the pages afterwards; nothing is kept without it. */
const shots = process.env['SYMBOLON_SCREENSHOTS']

/** A page by name, with what is opened on it, and the widths of the windows in which it is seen (1280 and 390): it is opened in the first. */
export type Look = readonly [
  name: string,
  path: string,
  open?: ((visitor: Visitor) => Promise<void>) | undefined,
  widths?: readonly [number, number],
]

/** How a page is seen: in which of its two widths, and in which colours. */
const views = [
  [0, 'light'],
  [1, 'dark'],
  [1, 'light'],
  [0, 'dark'],
] as const

/**
 * What is wrong with pages in windows of two widths, in light and in dark colours: wider than the window, something that axe calls
 * serious, or two landmarks of one name. Each page is loaded once and seen in `viewsEach` of the four views; one page's first view is
 * the next one's second, so that with fewer than four all views come.
 */
export async function lookAtAll(
  visitor: Visitor,
  looks: readonly Look[],
  viewsEach: number,
): Promise<string[]> {
  const found: string[] = []
  for (const [i, look] of looks.entries()) {
    const own = views.map((_, k) => views[(i + k) % views.length] ?? views[0])
    found.push(...(await lookAt(visitor, look, own.slice(0, viewsEach))))
  }
  return found
}

async function lookAt(
  visitor: Visitor,
  [name, path, open, widths = [1280, 390]]: Look,
  seen: readonly (typeof views)[number][],
): Promise<string[]> {
  const { page } = visitor
  const show = async (width: number, colorScheme: 'light' | 'dark') => {
    await page.setViewportSize({ width, height: page.viewportSize()?.height ?? 0 })
    await page.emulateMedia({ colorScheme })
  }
  await show(widths[0], 'light')
  await visitor.go(path)
  await open?.(visitor)
  const found: string[] = []
  for (const [at, colorScheme] of seen) {
    await show(widths[at], colorScheme)
    found.push(...(await faults(page, `${name}-${colorScheme}-${widths[at]}`)))
  }
  return found
}

/** What is wrong with the page as it is shown, as soon as it waits for nothing and its colours have changed. Keeps a picture of it. */
async function faults(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  await page.evaluate(async () => {
    const changes = document.getAnimations().filter((change) => change instanceof CSSTransition)
    await Promise.allSettled(changes.map(({ finished }) => finished))
  })
  const { violations } = await axeIn(page.mainFrame(), { resultTypes: ['violations'] })
  for (const { id, impact, nodes } of violations)
    if (impact === 'serious' || impact === 'critical' || id === 'landmark-unique')
      found.push(`${name}: ${id} at ${nodes[0]?.target}`)
  const beyond = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
  if (beyond > 0) found.push(`${name}: ${beyond} px too wide`)
  // A dialog is as high as the window: a picture of the whole page would not show it as it is.
  const fullPage = (await page.locator('dialog[open]').count()) === 0
  await keepPicture(page, name, fullPage)
  return found
}

/** Keeps a picture of a page by its name, where somebody wants to look at it. */
export async function keepPicture(page: Page, name: string, fullPage = false): Promise<void> {
  if (shots === undefined) return
  mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: path.join(shots, `${name}.png`), fullPage })
}
