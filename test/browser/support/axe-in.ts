import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Frame } from 'playwright-core'

/**
 * What axe finds in the document of a frame, shown in the frame itself and without those within it: an error of the look is an error
 * here, where axe's own walk from the page downwards leaves a frame out without a word. No policy of the page stops it.
 */
export async function axeIn(frame: Frame, options: RunOptions = {}): Promise<AxeResults> {
  await frame.evaluate(axe.source)
  return frame.evaluate((given) => (window as unknown as { axe: typeof axe }).axe.run(document, given), {
    iframes: false,
    ...options,
  })
}
