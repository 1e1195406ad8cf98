/**
 * The platform as real processes, to be stopped and killed one by one, and users who call it from outside.
 */

export { type FaultyWire, faultyWire } from './faulty-wire.ts'
export {
  type ApiProcess,
  childrenOf,
  type PlatformProcesses,
  startPlatformProcesses,
} from './platform-processes.ts'
export {
  asUser,
  createMyWallet,
  createOrganization,
  createWalletFor,
  identify,
  inTurn,
  logIn,
  mailedCode,
  mintSecretKeys,
  mintToken,
  newEmail,
  type Organization,
  publishable,
  secret,
  signFor,
  signMine,
  startLogin,
  type User,
  verifyLogin,
} from './platform-users.ts'
export { recoveryCode } from './recovery-code.ts'
export {
  allGone,
  type DevJson,
  dataFolder,
  descendants,
  type StartedPlatform,
  startedPlatform,
} from './started-platform.ts'
