import type { AgentMethod } from '@symbolon/networks'
import type { policyFields } from './fields.ts'

/** A token an agent may spend; caps in its smallest unit, null is none. */
export type AllowedToken = {
  readonly chain: string
  readonly token: string
  readonly maxPerTx: bigint | null
  readonly maxTotal: bigint | null
}

/** A cap on one native asset, in its smallest unit. */
export type AssetCap = { readonly asset: string; readonly max: bigint }

/**
 * A contract an agent may call; without `selectors` (lower-case hex, or names of methods) every method. `onlyKnown`, which `intersect` alone sets:
 * some list named no selectors, so that of a token that is listed none but known methods may be called.
 */
export type AllowedContract = {
  readonly chain: string
  readonly address: string
  readonly selectors: readonly string[] | null
  readonly onlyKnown?: true
}

/** A row of the table, each with its own literals. */
export type PolicyField = (typeof policyFields)[number]

/** The rows of one side: the agent's and the session's, or the organization's. */
export type FieldsOf<layers extends PolicyField['layers']> = Extract<PolicyField, { layers: layers }>

/** What a field holds once it is read. Amounts in the smallest unit; an expiry in milliseconds since 1970. */
type ValueOf<row extends PolicyField> = {
  amount: bigint | null
  count: number | null
  expiry: number | null
  flag: boolean
  mode: row extends { kind: 'mode' } ? keyof row['words'] : never
  'allow-list': readonly string[] | null
  'method-list': readonly AgentMethod[] | null
  'deny-list': readonly string[]
  'token-list': readonly AllowedToken[] | null
  'contract-list': readonly AllowedContract[] | null
  'domain-list': readonly string[] | null
  'asset-caps': readonly AssetCap[] | null
}[row['kind']]

type ValuesOf<row extends PolicyField> = { readonly [one in row as one['name']]: ValueOf<one> }

/** The agent's or the session's layer: null is unlimited, or everything (for tokens and contracts: see `intersect`). */
export type Policy = ValuesOf<FieldsOf<readonly ['agent', 'session']>>

/** The organization's layer. */
export type Rules = ValuesOf<FieldsOf<readonly ['organization']>>

/** How tokens may move at all. */
export type TokenMode = Rules['token_mode']

/** Everything that limits a session; there may be several of a layer (as sealed at the mint, and as it is now). */
export type Layers = {
  readonly organization: readonly Rules[]
  readonly agent: readonly Policy[]
  readonly session: readonly Policy[]
}

/** What is left of all layers: one policy and one set of rules. */
export type Effective = Omit<Policy, 'allowed_contracts'> &
  Rules & { readonly allowed_contracts: readonly AllowedContract[] }
