/** Parts of the SDK that no entry exports, for tests of other packages. Not published. */
export { client } from '../client/client.ts'
export type { Ports } from '../client/ports.ts'
export { connection, type Link } from '../frame/connection.ts'
export { frame } from '../frame/frame.ts'
export { frameElement } from '../frame/frame-element.ts'
export { isConsistent, isIncluded } from '../verify/merkle-proof.ts'
export { leafHash, merkleRoot } from '../verify/merkle-root.ts'
export { sdkVersion } from '../version.ts'
