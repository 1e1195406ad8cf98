import type { EffectivePolicy, MintWarning } from '@symbolon/api'
import { networks } from '@symbolon/networks'

/** What to say of a new session's policy: an amount without a unit means another sum on each chain. */
export function mintWarnings({
  allowed_chains,
  max_spend_per_tx_native,
  max_spend_total_native,
  max_fee_per_tx_native,
}: EffectivePolicy): MintWarning[] {
  const hasCap = [max_spend_per_tx_native, max_spend_total_native, max_fee_per_tx_native].some(
    (cap) => cap !== null,
  )
  const handles = allowed_chains ?? networks.list.flatMap(({ chains }) => chains.map(({ handle }) => handle))
  const assets = new Map(
    handles.flatMap((handle) => {
      const asset = networks.chain(handle)?.nativeAsset
      return asset === undefined ? [] : [[`${asset.symbol}/${asset.decimals}`, asset.symbol]]
    }),
  )
  if (!hasCap || assets.size < 2) return []
  const names = [...assets.values()].join(', ')
  const message = `The caps of this session apply to each of its native assets on its own, in its own smallest unit: ${names}. Use max_spend_per_tx and max_spend_total for a cap per asset.`
  return [{ code: 'assets_differ', message }]
}
