import { isSameBytes } from '../codec/same-bytes.ts'
import type { Decoded } from '../effect.ts'
import type { TransactionScope } from '../network.ts'
import { feeWarnings } from '../preview/fee-warnings.ts'
import { nativeSent } from '../preview/native-sent.ts'
import { type DescribedAction, summarize } from '../preview/summarize.ts'
import { describe } from './operation-scope.ts'
import type { StellarEnvelope, StellarTransaction } from './transaction-envelope.ts'

/**
 * The effects of what the wallet signs: the operations of its transaction, or the fee it pays for another account's.
 * The fee in the worst case is that of the transaction or fee bump that is signed.
 */
export function decodeStellarEffects(
  { transaction, feeBump }: StellarEnvelope,
  isFeeBump: boolean,
  { chain, publicKey, address }: TransactionScope,
): Decoded {
  const isSource = isSameBytes(transaction.source.key, publicKey)
  const described = isSource
    ? withMemo(transaction)
    : [
        describe(
          'call',
          'fee_bump',
          { chain, source: address },
          {
            title: 'Pay the fee of another account',
            to: transaction.source.address,
            args: {
              operations: transaction.described
                .map(({ title }) => title)
                .join(', ')
                .slice(0, shownMax),
            },
            warning: `The wallet pays the fee of a transaction of ${transaction.source.address}.`,
          },
        ),
      ]
  const amount = isFeeBump && feeBump ? feeBump.fee : transaction.fee
  const summary = summarize(described)
  return {
    ...summary,
    fee: { asset: chain.nativeAsset.symbol, amount },
    warnings: [
      ...summary.warnings,
      ...feeWarnings(amount, nativeSent(summary.actions, address, chain), chain),
    ],
    expiresAtMs: transaction.expiresAtMs,
  }
}

/** As much of the operations of another account as is shown, in characters. */
const shownMax = 300

/** The memo stands with the first action: an exchange credits by it. */
function withMemo({ described, memo }: StellarTransaction): readonly DescribedAction[] {
  const [first, ...rest] = described
  if (!first || memo === null) return described
  return [{ ...first, action: { ...first.action, args: { ...first.action.args, ...memo } } }, ...rest]
}
