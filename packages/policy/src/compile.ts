import type { TokenHolders } from '@symbolon/networks'
import { type Bound, strictest } from './bound.ts'
import { type ContractRules, contractRules } from './contract-rules.ts'
import type { PolicyLayer } from './decision.ts'
import { layeredPolicies } from './layered-policies.ts'
import { defaultRules } from './parse-rules.ts'
import type { Layers, Policy } from './policy.ts'
import { chainGroup, type PolicyNames } from './policy-names.ts'
import { type TokenRules, tokenRules } from './token-rules.ts'

/** An allow-list of one layer: what it has, by key, and as it is shown. */
export type AllowList = {
  readonly layer: PolicyLayer
  readonly keys: ReadonlySet<string>
  readonly list: readonly string[]
}

/** What is refused, by key, each as the rules name it. */
type Deny = ReadonlyMap<string, string>

/** Layers made ready for evaluation: sets, maps and the strictest numbers, each with the layer that it is of. */
export type Compiled = {
  readonly names: PolicyNames
  readonly methods: readonly AllowList[]
  /** By groups of chains. */
  readonly chains: readonly AllowList[]
  readonly blockedChains: Deny
  readonly recipients: readonly AllowList[]
  readonly blockedRecipients: Deny
  /** Who of those that all lists allow, and of the blocked ones, holds token accounts; made when a payload first asks. */
  readonly allowedHolders: () => TokenHolders
  readonly blockedHolders: () => TokenHolders
  readonly contracts: ContractRules
  readonly tokens: TokenRules
  readonly allowRawHash: boolean
  readonly organizationPerTx: Bound | null
  readonly organizationTotal: Bound | null
  readonly perTx: Bound | null
  readonly total: Bound | null
  readonly feePerTx: Bound | null
  readonly txCount: Bound | null
  /** Milliseconds since 1970: from then on nothing may be evaluated by this; the caller sees to it. */
  readonly expiresAtMs: number | null
}

/**
 * Makes layers ready for evaluation; once per grant, since it costs more than an evaluation. Versions of a layer all count. An
 * organization that is not given has the default rules.
 */
export function compile(layers: Layers, names: PolicyNames): Compiled {
  const rules = layers.organization.length > 0 ? layers.organization : [defaultRules]
  const policies = layeredPolicies(layers)
  const allowLists = (pick: (policy: Policy) => readonly string[] | null, keyOf: (text: string) => string) =>
    policies.flatMap(({ layer, policy }): AllowList[] => {
      const list = pick(policy)
      return list === null ? [] : [{ layer, keys: new Set(list.map(keyOf)), list }]
    })
  const least = (pick: (policy: Policy) => bigint | null) =>
    strictest(policies.map(({ layer, policy }) => ({ layer, max: pick(policy) })))
  const leastRule = (pick: (one: (typeof rules)[number]) => bigint | null) =>
    strictest(rules.map((one) => ({ layer: 'organization', max: pick(one) })))
  const denied = (
    pick: (one: (typeof rules)[number]) => readonly string[],
    keysOf: (text: string) => readonly string[],
  ) => new Map(rules.flatMap((one) => pick(one).flatMap((text) => keysOf(text).map((key) => [key, text]))))
  const ofChain = (handle: string) => chainGroup(handle, names)
  const ofAddress = (text: string) => names.addressKey(text)
  const recipients = allowLists((policy) => policy.allowedRecipients, ofAddress)
  const blockedRecipients = denied(
    (one) => one.blockedRecipients,
    (text) => readings(text).map(ofAddress),
  )
  return {
    names,
    methods: allowLists((policy) => policy.allowedMethods, String),
    chains: allowLists((policy) => policy.allowedChains, ofChain),
    blockedChains: denied(
      (one) => one.blockedChains,
      (handle) => [ofChain(handle)],
    ),
    recipients,
    blockedRecipients,
    allowedHolders: once(() => names.tokenHolders(onAll(recipients, ofAddress))),
    blockedHolders: once(() => names.tokenHolders([...blockedRecipients.values()])),
    contracts: contractRules(layers, names),
    tokens: tokenRules(
      layers,
      rules.map(({ tokenMode }) => tokenMode),
      names,
    ),
    allowRawHash: rules.every(({ allowRawHash }) => allowRawHash),
    organizationPerTx: leastRule((one) => one.maxNativePerTxCap),
    organizationTotal: leastRule((one) => one.maxNativeTotalCap),
    perTx: least((policy) => policy.maxSpendPerTxNative),
    total: least((policy) => policy.maxSpendTotalNative),
    feePerTx: least((policy) => policy.maxFeePerTxNative),
    txCount: least(({ maxTxCount }) => (maxTxCount === null ? null : BigInt(maxTxCount))),
    expiresAtMs:
      strictest(policies.map(({ layer, policy }) => ({ layer, max: policy.expiresAtMs })))?.max ?? null,
  }
}

/** What a blocked text may mean: 64 bare digits are an account of Near, or one of Aptos that was copied without 0x. */
function readings(text: string): readonly string[] {
  return /^[0-9a-fA-F]{64}$/.test(text) ? [text, `0x${text}`] : [text]
}

/** What every list has, as the first one spells it. */
function onAll([first, ...others]: readonly AllowList[], keyOf: (text: string) => string): readonly string[] {
  return (first?.list ?? []).filter((text) => others.every(({ keys }) => keys.has(keyOf(text))))
}

function once<value>(make: () => value): () => value {
  let made: { value: value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
