/** Random policies and payloads, for tests of other packages. */
export { call, payload } from '../effects.fuzz.ts'
export type { Measured } from '../measures.ts'
export { names, randomLayers, requestOf } from '../random-layers.fuzz.ts'
