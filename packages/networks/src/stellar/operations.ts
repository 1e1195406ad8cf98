import { invalidPayload } from '../network-error.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import {
  beginSponsoring,
  bumpSequence,
  changeTrust,
  claimClaimableBalance,
  endSponsoring,
  inflation,
  manageData,
  revokeSponsorship,
  setOptions,
} from './account-operations.ts'
import { type Account, readAccount } from './accounts.ts'
import { nameTokens } from './contract-calls.ts'
import { extendFootprintTtl, invokeHostFunction, restoreFootprint } from './contract-operations.ts'
import { allowTrust, clawback, clawbackClaimableBalance, setTrustLineFlags } from './issuer-operations.ts'
import {
  createPassiveSellOffer,
  liquidityPoolDeposit,
  liquidityPoolWithdraw,
  manageBuyOffer,
  manageSellOffer,
} from './market-operations.ts'
import type { OperationScope } from './operation-scope.ts'
import {
  accountMerge,
  createAccount,
  createClaimableBalance,
  pathPaymentStrictReceive,
  pathPaymentStrictSend,
  payment,
} from './payment-operations.ts'
import type { XdrReader } from './xdr-reader.ts'

/** An operation read: the account it acts for where that is not the transaction's, and what it does. */
export type Operation = {
  readonly source: Account | undefined
  readonly described: readonly DescribedAction[]
}

/** By OperationType. */
const operations: readonly ((
  reader: XdrReader,
  scope: OperationScope,
) => DescribedAction | DescribedAction[])[] = [
  createAccount,
  payment,
  pathPaymentStrictReceive,
  manageSellOffer,
  createPassiveSellOffer,
  setOptions,
  changeTrust,
  allowTrust,
  accountMerge,
  inflation,
  manageData,
  bumpSequence,
  manageBuyOffer,
  pathPaymentStrictSend,
  createClaimableBalance,
  claimClaimableBalance,
  beginSponsoring,
  endSponsoring,
  revokeSponsorship,
  clawback,
  clawbackClaimableBalance,
  setTrustLineFlags,
  liquidityPoolDeposit,
  liquidityPoolWithdraw,
  invokeHostFunction,
  extendFootprintTtl,
  restoreFootprint,
]

/** Reads an Operation of a transaction of `scope.source`. */
export function readOperation(reader: XdrReader, scope: OperationScope): Operation {
  const source = reader.option(readAccount)
  const read = operations[reader.u32()]
  if (!read) throw invalidPayload('An operation of the transaction is unknown.')
  const described = read(reader, source ? { ...scope, source: source.address } : scope)
  return { source, described: Array.isArray(described) ? described : [described] }
}

/** What an operation of a transaction of `scope.source` does, by the names of the assets that the transaction has. */
export function describeOperation(
  { source, described }: Operation,
  scope: OperationScope,
  assets: readonly string[],
): readonly DescribedAction[] {
  const actions = nameTokens(described, assets, scope.chain)
  if (!source || source.address === scope.source) return actions
  return actions.map((each) => ofOther(each, source))
}

/** An operation of another account, which must sign the transaction too, says so. */
function ofOther({ action, title, warning }: DescribedAction, { address }: Account): DescribedAction {
  const notice = `This acts for ${address}, not for this wallet.`
  return {
    action: { ...action, args: { ...action.args, source: address } },
    title: `${title} of ${address}`,
    warning: warning === undefined ? notice : `${warning} ${notice}`,
  }
}
