import type { Action, Decoded } from '../effect.ts'
import type { TransactionScope } from '../network.ts'
import { feeWarnings } from '../preview/fee-warnings.ts'
import { checksumAddress } from './address.ts'
import { orderedWarnings } from './bounded-preview.ts'
import { decodeCallTree } from './call-tree.ts'
import type { EvmTransaction } from './raw-transaction.ts'
import { takeoverStart } from './takeover.ts'
import type { SignedAuthorization } from './transaction-lists.ts'

/** The effects of a transaction and its authorizations, its fee in the worst case and what to be warned of. */
export function decodeTransactionEffects(transaction: EvmTransaction, scope: TransactionScope): Decoded {
  const { chain } = scope
  const called = decodeCallTree(transaction, scope)
  const fee = { asset: chain.nativeAsset.symbol, amount: transaction.maxFee }
  const { authorizations } = transaction
  return {
    ...called,
    actions: [...authorizations.map((entry) => delegation(entry, scope.address)), ...called.actions],
    fee,
    warnings: orderedWarnings([
      ...authorizations.map(delegationWarning),
      ...called.warnings,
      ...feeWarnings(fee.amount, transaction.value, chain),
    ]),
  }
}

/** Recovering who signed it would cost a browser all of elliptic curves: it counts as the wallet's own. */
function delegation({ chainId, delegate, nonce }: SignedAuthorization, from: string): Action {
  const contract = checksumAddress(delegate)
  return {
    kind: 'admin',
    asset: null,
    amount: null,
    amountDisplay: null,
    from,
    to: contract,
    method: 'authorization',
    args: { authority: 'unknown', contract, chain_id: String(chainId), nonce: String(nonce) },
  }
}

function delegationWarning({ chainId, delegate }: SignedAuthorization): string {
  const where = chainId === 0n ? ', on every chain' : ''
  return `${takeoverStart}the code of ${checksumAddress(delegate)} will control whichever account signed this authorization${where}.`
}
