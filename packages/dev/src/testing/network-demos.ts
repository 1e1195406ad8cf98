/** A transaction of each network, for tests of other packages. */
export { networkDemos } from '../demo/demo-networks.ts'
