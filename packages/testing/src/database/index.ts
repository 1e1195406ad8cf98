/** A database of a test's own (`testDatabase()`) and rows to begin with. */

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
  sendOf,
  someLanding,
  someToken,
} from './operation-rows.ts'
export { advanceClock, seedOrganization, testIds, testLog } from './seed-organization.ts'
export { type TestDatabase, testDatabase } from './test-database.ts'
