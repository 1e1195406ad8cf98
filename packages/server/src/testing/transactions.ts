/** Nonces, broadcasts and user operations from inside. */
export { broadcaster } from '../features/transactions/broadcast/broadcaster.ts'
export { broadcastsStore } from '../features/transactions/broadcast/broadcasts.store.ts'
export { nonceLeases } from '../features/transactions/nonces/nonce-leases.ts'
export { fundsLeft } from '../features/transactions/prepare/funds-left.ts'
export type { Landing } from '../features/userops/landings.ts'
export {
  operationFromJson,
  type UnsignedOperation,
  withOwnerSignature,
  worstCostWei,
} from '../features/userops/operation-json.ts'
export type { Send } from '../features/userops/sends.store.ts'
export { type FollowedOperation, settlementStore } from '../features/userops/settlement.store.ts'
export { monthlyCapMicro } from '../features/userops/sponsorship.ts'
export { type Claim, type NewOperation, useropsStore } from '../features/userops/userops.store.ts'
export type { UserOpTimes } from '../features/userops/userops.ts'
