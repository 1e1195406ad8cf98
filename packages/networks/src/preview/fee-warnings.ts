import type { Chain } from '../chain.ts'
import { nativeDisplay } from './amount-display.ts'

/** What to be warned of when `fee` can be above a tenth of the native value that is sent; nothing where none is. */
export function feeWarnings(fee: bigint, sent: bigint, { nativeAsset }: Chain): string[] {
  if (sent === 0n || fee * 10n <= sent) return []
  return [`The fee can reach ${nativeDisplay(fee, nativeAsset)}, above 10% of what is sent.`]
}
