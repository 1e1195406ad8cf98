import { networkBodies } from './network-bodies.ts'
import type { WorstInputs } from './worst-input.ts'

/** Whatever is signed, of all networks, with further members in the body. */
export const signInputs =
  (more: object = {}): WorstInputs =>
  () =>
    Object.values(networkBodies).flatMap(({ bodies }) =>
      bodies().map(({ name, body }) => ({ name, body: { ...body, ...more } })),
    )
