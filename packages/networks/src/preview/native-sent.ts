import type { Chain } from '../chain.ts'
import type { Action } from '../effect.ts'

/** How much of a chain's native asset some actions transfer from a wallet to others. */
export function nativeSent(actions: readonly Action[], wallet: string, { nativeAsset }: Chain): bigint {
  let sent = 0n
  for (const { kind, asset, amount, from, to } of actions) {
    const isSent = kind === 'transfer' && asset === nativeAsset.symbol && from === wallet && to !== wallet
    if (isSent) sent += amount ?? 0n
  }
  return sent
}
