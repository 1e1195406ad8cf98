/** Nonces, broadcasts and user operations from inside. */

export { monthlyCapMicro } from '../features/smart-accounts/sponsorship.ts'
export { broadcaster } from '../features/transactions/broadcast/broadcaster.ts'
export { broadcastsStore } from '../features/transactions/broadcast/broadcasts.store.ts'
export { nonceLeases } from '../features/transactions/nonces/nonce-leases.ts'
export { fundsLeft } from '../features/transactions/prepare/funds-left.ts'
export type { Confirmation } from '../features/userops/confirmations.ts'
export {
  operationFromJson,
  type UnsignedOperation,
  withOwnerSignature,
  worstCostWei,
} from '../features/userops/operation-json.ts'
export { type FollowedOperation, settlementStore } from '../features/userops/settlement.store.ts'
export type { Submission } from '../features/userops/submissions.store.ts'
export { type Claim, type NewOperation, useropsStore } from '../features/userops/userops.store.ts'
export type { UserOpTimes } from '../features/userops/userops.ts'
