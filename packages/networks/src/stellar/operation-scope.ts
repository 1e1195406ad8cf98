import type { Chain } from '../chain.ts'
import type { EffectKind } from '../effect.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { type Asset, assetDisplay } from './assets.ts'

/** Where an operation runs and for which account (G…). */
export type OperationScope = { readonly chain: Chain; readonly source: string }

/** What an operation does; `amount` is in stroops, `from` the account of the operation by default. */
type Description = {
  readonly title: string
  readonly to?: string | null
  readonly from?: string
  readonly asset?: Asset
  readonly amount?: bigint | null
  readonly args?: Readonly<Record<string, string | null | undefined>>
  readonly warning?: string
}

/** An operation as an action; arguments without a value are left out, an amount has its asset's label. */
export function describe(
  kind: EffectKind,
  method: string,
  scope: OperationScope,
  description: Description,
): DescribedAction {
  const { title, to = null, from = scope.source, asset, amount = null, args = {}, warning } = description
  let named: Record<string, string> | null = null
  for (const [name, value] of Object.entries(args)) {
    if (typeof value === 'string') named = Object.assign(named ?? {}, { [name]: value })
  }
  const action = {
    kind,
    asset: asset?.id ?? null,
    amount,
    from,
    to,
    amountDisplay: asset && amount !== null ? assetDisplay(amount, asset) : null,
    method,
    args: named,
  }
  return { action, title, ...(warning !== undefined && { warning }) }
}
