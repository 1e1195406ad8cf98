import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Set by `vitest.night.config.ts`. */
    isNight?: boolean
  }
}

/** By day an eighth is tried, and never fewer than this. */
const leastByDay = 50

/** How often a property is tried, or how many samples are drawn: `byNight` in `npm run test:night`, an eighth of it by day. */
export function propertyRuns(byNight: number): number {
  return inject('isNight') ? byNight : Math.min(byNight, Math.max(leastByDay, Math.round(byNight / 8)))
}

/**
 * How often a claim is tried: in the suite as often as shows a planted fault with near certainty, at night (`npm run test:night`)
 * as often as there is time for. Asked for in the file of the test itself: that is how the night finds it.
 */
export function rounds({ suite, night }: { suite: number; night: number }): number {
  return inject('isNight') ? night : suite
}

/**
 * All cases at night; in the suite each `step`-th, beginning with the one at `from` (any whole number ≥ 0). Neighbours that begin
 * at different places meet every case between them.
 */
export function spreadCases<value>(cases: readonly value[], step: number, from = 0): readonly value[] {
  return inject('isNight') ? cases : cases.filter((_, i) => i % step === from % step)
}
