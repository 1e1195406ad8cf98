import type { FairPlaces } from './fair-places.ts'
import type { FairTurns } from './fair-turns.ts'

/** How a process shares its time among organizations: each in turns, and each with a few requests at once. */
export type FairShares = { turns: FairTurns; places: FairPlaces }
