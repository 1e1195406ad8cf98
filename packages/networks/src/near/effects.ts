import type { Decoded } from '../effect.ts'
import type { TransactionScope } from '../network.ts'
import { feeWarnings } from '../preview/fee-warnings.ts'
import { summarize } from '../preview/summarize.ts'
import { describeAction } from './action-effects.ts'
import { nearFee } from './fee.ts'
import type { NearTransaction } from './raw-transaction.ts'

/** The effects of a transaction, the fee in the worst case (0 where a relayer pays it) and what to be warned of. */
export function nearEffects(
  { isDelegate, signer, receiver, actions, maxBlockHeight }: NearTransaction,
  bytes: number,
  { chain, address }: TransactionScope,
): Decoded {
  const described = actions.flatMap((action) => describeAction(action, { signer, receiver, chain }))
  const fee = isDelegate ? 0n : nearFee({ receiver, actions }, bytes)
  const { warnings, ...decoded } = summarize(described)
  const { symbol } = chain.nativeAsset
  const sent = described.reduce((sum, { action: { kind, asset, amount, from, to } }) => {
    const isSent = kind === 'transfer' && asset === symbol && from === signer && to !== signer
    // One yoctoNEAR is how contracts ask for a full-access key.
    return isSent && amount !== 1n ? sum + (amount ?? 0n) : sum
  }, 0n)
  return {
    ...decoded,
    ...(signer !== address && { from: signer }),
    fee: { asset: symbol, amount: fee },
    warnings: [...warnings, ...feeWarnings(fee, sent, chain), ...relayed(isDelegate, maxBlockHeight)],
  }
}

function relayed(isDelegate: boolean, maxBlockHeight: bigint | null): string[] {
  return isDelegate ? [`A relayer may send this until block ${maxBlockHeight}.`] : []
}
