import type { FairPlaces } from './fair-places.ts'
import type { FairTurns } from './fair-turns.ts'

/**
 * How a process shares its time among organizations: each in turns, each with a few requests at once, and each with its turns at the
 * database's connections.
 */
export type FairShares = {
  turns: FairTurns
  places: FairPlaces
  /** Runs `work`, which waits for connections with what else is done for the group. */
  onBehalfOf<result>(group: string, work: () => result): result
}
