export type { Hex } from '../codec/hex.ts'
export { type EvmCall, encodeCalls, encodeCreateAccount, encodeGetAddress } from './account-calls.ts'
export {
  decodeWords,
  encodeBalanceOf,
  encodeDecimals,
  encodeDepositOf,
  encodeGetNonce,
  encodeLatestRoundData,
} from './contract-reads.ts'
export { decodeRevert } from './decode-revert.ts'
export { entryPoint } from './entry-point.ts'
export {
  lightAccountAddress,
  lightAccountFactory,
  lightAccountImplementation,
  stubSignature,
} from './light-account.ts'
export { ownerSignature } from './owner-signature.ts'
export { type CallsScope, previewCalls } from './preview-calls.ts'
export {
  decodeSignedTransaction,
  type SignedTransaction,
  signedTransactionCost,
} from './signed-transaction.ts'
export {
  type BuiltOperation,
  builtOperationFromJson,
  type UserOperation,
  userOperationJson,
} from './user-operation.ts'
export {
  decodeRevertReasonEvent,
  decodeUserOperationEvent,
  postOpRevertReasonTopic,
  type UserOperationEvent,
  userOperationEventTopic,
  userOperationRevertReasonTopic,
} from './user-operation-events.ts'
export { paymasterAndDataHash, userOperationHash } from './user-operation-hash.ts'
