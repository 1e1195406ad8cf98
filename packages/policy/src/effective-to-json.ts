import { lesser } from './bound.ts'
import type { Effective } from './intersect.ts'

/** An effective policy as the wire has it (`EffectivePolicy` of `@symbolon/api`). */
export type EffectiveJson = {
  readonly max_spend_per_tx_native: string | null
  readonly max_spend_total_native: string | null
  readonly allowed_chains: readonly string[] | null
  readonly allowed_methods: readonly string[] | null
  readonly allowed_recipients: readonly string[] | null
  readonly allowed_tokens:
    | readonly {
        readonly chain: string
        readonly token: string
        readonly max_per_tx?: string
        readonly max_total?: string
      }[]
    | null
  readonly allowed_contracts: readonly {
    readonly chain: string
    readonly address: string
    readonly selectors?: readonly string[]
  }[]
  readonly max_fee_per_tx_native: string | null
  readonly max_tx_count: number | null
  readonly expires_at: string | null
  readonly blocked_chains: readonly string[]
  readonly blocked_recipients: readonly string[]
  readonly token_mode: 'none' | 'allowlist' | 'any'
  readonly allow_raw_hash: boolean
}

/** An effective policy in the words of the wire; the organization's caps are folded into the spend caps. */
export function effectiveToJson(effective: Effective): EffectiveJson {
  const { allowedTokens, allowedContracts, expiresAtMs } = effective
  return {
    max_spend_per_tx_native: amount(lesser(effective.maxSpendPerTxNative, effective.maxNativePerTxCap)),
    max_spend_total_native: amount(lesser(effective.maxSpendTotalNative, effective.maxNativeTotalCap)),
    allowed_chains: effective.allowedChains,
    allowed_methods: effective.allowedMethods,
    allowed_recipients: effective.allowedRecipients,
    allowed_tokens:
      allowedTokens === null
        ? null
        : allowedTokens.map(({ chain, token, maxPerTx, maxTotal }) => ({
            chain,
            token,
            ...(maxPerTx === null ? {} : { max_per_tx: String(maxPerTx) }),
            ...(maxTotal === null ? {} : { max_total: String(maxTotal) }),
          })),
    allowed_contracts: allowedContracts.map(({ chain, address, selectors }) => ({
      chain,
      address,
      ...(selectors === null ? {} : { selectors }),
    })),
    max_fee_per_tx_native: amount(effective.maxFeePerTxNative),
    max_tx_count: effective.maxTxCount,
    expires_at: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
    blocked_chains: effective.blockedChains,
    blocked_recipients: effective.blockedRecipients,
    token_mode: effective.tokenMode,
    allow_raw_hash: effective.allowRawHash,
  }
}

function amount(value: bigint | null): string | null {
  return value === null ? null : String(value)
}
