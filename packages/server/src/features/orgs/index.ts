/**
 * Organizations: how they are created, how they appear, and the modes that decide over logins and keys.
 * @module
 */
export type { RecoveryMode } from './org-modes.store.ts'
export { recoveryModeOf } from './recovery-mode.ts'
