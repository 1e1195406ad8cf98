/** A database of a test's own (`testDatabase()`), rows to begin with, and what may stand around a server: standby, pooler, certificates. */

export { queueRuns, seedAgentSession } from './agent-rows.ts'
export { type Authority, type Certificate, testAuthority } from './certificates.ts'
export {
  archiveText,
  clockText,
  holdOrganization,
  makeClockMovable,
  untilWaiting,
} from './hold-organization.ts'
export {
  type AccountRow,
  type BuiltRow,
  buildRow,
  builtRow,
  claimRow,
  followedRow,
  newOperation,
  seedAccount,
  someConfirmation,
  someToken,
  submissionOf,
} from './operation-rows.ts'
export { type TestPooler, testPooler } from './pooler.ts'
export { seedClientWallet } from './seed-client-wallet.ts'
export { advanceClock, seedOrganization, testIds, testLog } from './seed-organization.ts'
export { primarySettings, startStandby } from './standby.ts'
export { type TestDatabase, testDatabase } from './test-database.ts'
