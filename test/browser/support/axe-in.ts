import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { default as Axe, AxeResults, RunOptions } from 'axe-core'
import type { Frame } from 'playwright-core'

type WithAxe = { axe?: typeof Axe }

/** Minified, it is half as much to carry into a page and to compile there, which takes as long as a look itself. */
const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds in the document of a frame, shown in the frame itself and without those within it: an error of the look is an error
 * here, where axe's own walk from the page downwards leaves a frame out without a word. No policy of the page stops it.
 */
export async function axeIn(frame: Frame, options: RunOptions = {}): Promise<AxeResults> {
  // A document keeps it for the next look.
  if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(source)
  return frame.evaluate((given) => (globalThis as unknown as Required<WithAxe>).axe.run(document, given), {
    iframes: false,
    ...options,
  })
}
