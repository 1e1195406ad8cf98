import type { World } from './world.ts'

/** An attack whose requests belong together; `run` expects that all of it fails, and that its control does not. */
export type Campaign = {
  name: string
  /** Makes about so many hostile requests. */
  run(world: World, times: number): Promise<void>
}
