import type { Chain } from '../chain.ts'
import type { EffectKind } from '../effect.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { type Asset, assetDisplay } from './assets.ts'

/** Where an operation runs and for which account (G…). */
export type OperationScope = { readonly chain: Chain; readonly source: string }

/** What actions are called: by their operation, or by what a host function does. Contracts name their own methods. */
export type StellarMethod =
  | 'account_merge'
  | 'allow_trust'
  | 'begin_sponsoring_future_reserves'
  | 'bump_sequence'
  | 'change_trust'
  | 'claim_claimable_balance'
  | 'clawback'
  | 'clawback_claimable_balance'
  | 'create_account'
  | 'create_claimable_balance'
  | 'create_contract'
  | 'create_passive_sell_offer'
  | 'end_sponsoring_future_reserves'
  | 'extend_footprint_ttl'
  | 'fee_bump'
  | 'inflation'
  | 'liquidity_pool_deposit'
  | 'liquidity_pool_withdraw'
  | 'manage_buy_offer'
  | 'manage_data'
  | 'manage_sell_offer'
  | 'path_payment_strict_receive'
  | 'path_payment_strict_send'
  | 'payment'
  | 'restore_footprint'
  | 'revoke_sponsorship'
  | 'set_options'
  | 'set_trust_line_flags'
  | 'upload_contract'

/** A name that a contract gave its method: it may be that of an operation too. */
export type ContractMethod = string & { readonly isOfContract: true }

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
  method: StellarMethod | ContractMethod,
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
