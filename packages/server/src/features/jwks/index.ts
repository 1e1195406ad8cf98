/**
 * The platform's signing key and its public half.
 * @module
 */
export type { PlatformKey } from './platform-key.ts'
