import type { AgentMethod } from '@symbolon/networks'

/** A token an agent may spend; caps in its smallest unit, null is none. */
export type AllowedToken = {
  readonly chain: string
  readonly token: string
  readonly maxPerTx: bigint | null
  readonly maxTotal: bigint | null
}

/**
 * A contract an agent may call; without `selectors` (0x, 8 lower-case hex digits) every method. `onlyKnown`, which `intersect` alone sets: some
 * list named no selectors, so that of a token that is listed none but known methods may be called.
 */
export type AllowedContract = {
  readonly chain: string
  readonly address: string
  readonly selectors: readonly string[] | null
  readonly onlyKnown?: true
}

/** How tokens may move at all. */
export type TokenMode = 'none' | 'allowlist' | 'any'

/** The agent's or the session's layer: null is unlimited, or everything (for tokens and contracts: see `intersect`). */
export type Policy = {
  readonly maxSpendPerTxNative: bigint | null
  readonly maxSpendTotalNative: bigint | null
  readonly allowedChains: readonly string[] | null
  readonly allowedMethods: readonly AgentMethod[] | null
  readonly allowedRecipients: readonly string[] | null
  readonly allowedTokens: readonly AllowedToken[] | null
  readonly allowedContracts: readonly AllowedContract[] | null
  readonly maxFeePerTxNative: bigint | null
  readonly maxTxCount: number | null
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number | null
}

/** The organization's layer. */
export type Rules = {
  readonly blockedChains: readonly string[]
  readonly blockedRecipients: readonly string[]
  readonly maxNativePerTxCap: bigint | null
  readonly maxNativeTotalCap: bigint | null
  readonly tokenMode: TokenMode
  readonly allowRawHash: boolean
  readonly maxSessionTtlSeconds: number | null
}

/** Everything that limits a session; there may be several of a layer (as sealed at the mint, and as it is now). */
export type Layers = {
  readonly organization: readonly Rules[]
  readonly agent: readonly Policy[]
  readonly session: readonly Policy[]
}
