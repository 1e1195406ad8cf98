import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { axeIn } from './axe-in.ts'
import type { Visitor } from './portal-fixture.ts'

/** Where a person wants to look at the pages afterwards; nothing is kept without it. */
const shots = process.env['SYMBOLON_SCREENSHOTS']

/**
 * What is wrong with the page that is shown, as soon as it waits for nothing: wider than the window, or (`withAxe`) serious for axe,
 * or with two landmarks of one name.
 * Keeps a picture of it by its name where somebody wants to look.
 */
async function lookAt({ page }: Visitor, name: string, { withAxe }: { withAxe: boolean }): Promise<string[]> {
  const found: string[] = []
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
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

/**
 * Looks at the page in windows of several widths, and leaves it in the first. There axe looks too: in a pair of colours and widths each,
 * that is both of both.
 */
export async function lookAtWidths(
  visitor: Visitor,
  name: string,
  widths: readonly [number, ...number[]],
): Promise<string[]> {
  const height = visitor.page.viewportSize()?.height ?? 0
  const found = await lookAt(visitor, `${name}-${widths[0]}`, { withAxe: true })
  for (const width of widths.slice(1)) {
    await visitor.page.setViewportSize({ width, height })
    found.push(...(await lookAt(visitor, `${name}-${width}`, { withAxe: false })))
  }
  await visitor.page.setViewportSize({ width: widths[0], height })
  return found
}

/** Keeps a picture of a page by its name, where somebody wants to look at it. */
export async function keepPicture(page: Page, name: string, fullPage = false): Promise<void> {
  if (shots === undefined) return
  mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: path.join(shots, `${name}.png`), fullPage })
}
