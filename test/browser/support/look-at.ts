import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { axeIn } from './axe-in.ts'
import type { Visitor } from './portal-fixture.ts'

/** Where a person wants to look at the pages afterwards; nothing is kept without it. */
const shots = process.env['SYMBOLON_SCREENSHOTS']

/** A page by name, with what is opened on it, and the widths of the windows in which it is seen: it is opened in the first. */
export type Look = readonly [
  name: string,
  path: string,
  open?: ((visitor: Visitor) => Promise<void>) | undefined,
  widths?: readonly [number, number],
]

/**
 * What is wrong with a page in windows of two widths, in light and in dark colours: wider than the window, or, where axe looks, something
 * serious or two landmarks of one name. axe looks at both colours and at both widths, at each once; the page is loaded once.
 */
export async function lookAt(
  visitor: Visitor,
  [name, path, open, [first, second] = [1280, 390]]: Look,
): Promise<string[]> {
  const { page } = visitor
  const show = async (width: number, colorScheme: 'light' | 'dark') => {
    await page.setViewportSize({ width, height: page.viewportSize()?.height ?? 0 })
    await page.emulateMedia({ colorScheme })
  }
  await show(first, 'light')
  await visitor.go(path)
  await open?.(visitor)
  const found = await faults(page, `${name}-light-${first}`, { withAxe: true })
  await show(second, 'light')
  found.push(...(await faults(page, `${name}-light-${second}`, { withAxe: false })))
  await show(second, 'dark')
  found.push(...(await faults(page, `${name}-dark-${second}`, { withAxe: true })))
  await show(first, 'dark')
  return [...found, ...(await faults(page, `${name}-dark-${first}`, { withAxe: false }))]
}

/** What is wrong with the page as it is shown, as soon as it waits for nothing and its colours have changed. Keeps a picture of it. */
async function faults(page: Page, name: string, { withAxe }: { withAxe: boolean }): Promise<string[]> {
  const found: string[] = []
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  await page.evaluate(async () => {
    const changes = document.getAnimations().filter((change) => change instanceof CSSTransition)
    await Promise.allSettled(changes.map(({ finished }) => finished))
  })
  if (withAxe) {
    const { violations } = await axeIn(page.mainFrame(), { resultTypes: ['violations'] })
    for (const { id, impact, nodes } of violations)
      if (impact === 'serious' || impact === 'critical' || id === 'landmark-unique')
        found.push(`${name}: ${id} at ${nodes[0]?.target}`)
  }
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
