import type { SignIntent, StoredOperation } from '@symbolon/networks'
import type { PolicyReason } from '@symbolon/policy'

/** The layers of a case, each the JSON of the wire (`AgentPolicy`, `OrganizationRules`); a missing one limits nothing. */
export type CorpusLayers = {
  readonly organization?: Readonly<Record<string, unknown>>
  readonly agent?: Readonly<Record<string, unknown>>
  readonly session?: Readonly<Record<string, unknown>>
}

/**
 * One payload and what has to become of it. The wallet is `testKey(curve, 1)` of the chain's curve
 * (packages/networks/src/testing/oracle-signer.ts).
 */
export type CorpusCase = {
  /** What is tried; unique within its network. */
  readonly name: string
  readonly network: string
  /** What is to be signed, built with the network's official SDK; a function where building may take time. */
  readonly intent: SignIntent | (() => SignIntent)
  /** A stored half-built operation that goes along with it. */
  readonly operation?: StoredOperation
  readonly layers: CorpusLayers
  /** `allowed`, the reason of the refusal, or `invalid`: the bytes are not a payload of their kind. */
  readonly expected: 'allowed' | 'invalid' | PolicyReason
  /** Of an allowed payload: each counter with its amount, all of them (`native ETH/18`, `token CHAIN ID`, `transactions`). */
  readonly spends?: Readonly<Record<string, bigint>>
}
