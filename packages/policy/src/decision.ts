import type { AgentMethod } from '@symbolon/networks'
import type { policyReasonRows } from './reasons.ts'

/** Why a policy refuses (agents.md "Policy"); stable words of the wire. */
export type PolicyReason = (typeof policyReasonRows)[number]['code']

/** Whose rule it was. */
export type PolicyLayer = 'organization' | 'agent' | 'session'

/** One rule that was looked at; `limit` and `actual` as text for people and for `details`. */
export type Check = {
  readonly rule: string
  readonly layer: PolicyLayer
  readonly limit: string | null
  readonly actual: string | null
  readonly passed: boolean
}

/** What a payload spends of a native asset, apart: decimal texts. */
export type Split = { readonly value: string; readonly fee: string }

/** The first check that failed, and its reason; over a total of a native asset, what this payload spends of it. */
export type Refusal = Omit<Check, 'passed'> & { readonly reason: PolicyReason } & Partial<Split>

/** A cap on the sum of a counter, and what going over it is called. */
export type Cap = {
  readonly max: bigint
  readonly reason: PolicyReason
  readonly layer: PolicyLayer
  readonly rule: string
}

/**
 * What a signature costs of one counter of the session. `counter` is its key: `native SYMBOL/DECIMALS` (`native ETH/18`: ETH of
 * several chains is one asset), `token CHAIN ID` (CHAIN the first handle of a group of chains that policies see as one), or
 * `transactions`. `caps` in the order in which they are checked: the organization's, then the agent's and the session's.
 */
export type Spend = {
  readonly counter: string
  /** For people: `ETH`, `base 0x…`, `transactions`. */
  readonly asset: string
  readonly amount: bigint
  /** What of the amount is the fee; absent where nothing is. */
  readonly fee?: bigint
  readonly caps: readonly Cap[]
}

/** An effect as the wire of `dry_run` has it. */
export type DecidedEffect = {
  readonly kind: 'transfer' | 'approval' | 'call' | 'admin' | 'unknown'
  readonly asset: string | null
  readonly amount: bigint | null
  readonly to: string | null
}

/** What the enclave says to an request; sums over time are left to the database, which gets `spends`. */
export type Decision = {
  /** Null: allowed, as far as the enclave knows. */
  readonly refusal: Refusal | null
  readonly method: AgentMethod
  readonly chain: string
  /** The first effect's recipient, the sum of native value and its symbol, as events report them. */
  readonly target: string | null
  readonly value: bigint
  /** The fee in the worst case, in the native asset; null where the wallet pays none. */
  readonly fee: bigint | null
  readonly asset: string | null
  readonly effects: readonly DecidedEffect[]
  readonly spends: readonly Spend[]
  readonly checks: readonly Check[]
  /** Hex, 32 bytes each: of the payload as events name it, and of what is signed: equal where signatures are equal. */
  readonly payloadSha256: string
  readonly digestSha256: string
}
