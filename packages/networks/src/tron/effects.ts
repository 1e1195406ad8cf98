import type { Action, Decoded } from '../effect.ts'
import type { TransactionScope } from '../network.ts'
import { excerptText } from '../preview/excerpt.ts'
import { expiryMs } from '../preview/expiry.ts'
import { feeWarnings } from '../preview/fee-warnings.ts'
import { nativeSent } from '../preview/native-sent.ts'
import { summarize } from '../preview/summarize.ts'
import { unknown } from './described.ts'
import { tronFee } from './fee.ts'
import type { TronTransaction } from './raw-transaction.ts'

/** The effects of a transaction, its fee in the worst case and when the network stops taking it. */
export function tronEffects(
  transaction: TronTransaction,
  rawBytes: number,
  { chain, address }: TransactionScope,
): Decoded {
  const { describe, name, memo, permissionId, expirationMs } = transaction
  const scope = { chain, owner: address }
  const described = describe?.(scope) ?? [unknown(scope, `Unknown contract ${name}`, null, name, null)]
  const { warnings, actions, ...decoded } = summarize(described)
  const fee = tronFee({ ...transaction, hasMemo: memo.length > 0, rawBytes })
  return {
    ...decoded,
    actions: memo.length > 0 ? withMemo(actions, excerptText(memo)) : actions,
    fee: { asset: chain.nativeAsset.symbol, amount: fee },
    warnings: [
      ...warnings,
      ...(permissionId > 0 ? [`It is signed under permission ${permissionId} of the account.`] : []),
      ...feeWarnings(fee, nativeSent(actions, address, chain), chain),
    ],
    expiresAtMs: expirationMs === 0n ? undefined : withMs(expirationMs),
  }
}

/** The memo is the transaction's: shown beside the arguments of its first action. */
function withMemo([first, ...rest]: readonly Action[], memo: string): Action[] {
  return first === undefined ? [] : [{ ...first, args: { ...first.args, memo } }, ...rest]
}

function withMs(timeMs: bigint): number | undefined {
  return expiryMs(timeMs / 1000n) === undefined ? undefined : Number(timeMs)
}
