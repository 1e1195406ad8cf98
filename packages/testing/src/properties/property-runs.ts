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
