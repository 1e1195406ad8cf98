/** Smart accounts and transactions on a real chain, and chains that lie, stall and reorganize. */

export { confirmationsOf, expectReported, landed } from './confirmations.ts'
export { type FaultyChain, faultyChain, type Ready } from './faulty-chain.ts'
export {
  type Built,
  buildOp,
  buildWhenAnswered,
  built,
  endOf,
  monthsOf,
  newAccountOwner,
  provisioned,
  readOp,
  type SmartAccountOwner,
  sendOp,
  signOp,
  submitOp,
  type WireCall,
} from './smart-account-owner.ts'
export {
  codeOf,
  startTransactionFixture,
  stranger,
  type TransactionFixture,
  txEventTypes,
  type WalletOwner,
} from './transaction-fixture.ts'
