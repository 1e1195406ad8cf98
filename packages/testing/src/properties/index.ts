/** What property tests and tests of cost share: how many runs there are, and texts that are expensive to read. */
export { type HostileText, hostileTexts, leastCpuMs } from './hostile-texts.ts'
export * from './property-runs.ts'
