import type { TokenHolders } from '@symbolon/networks'
import type { AllowList } from './allow-list.ts'
import { least } from './bound.ts'
import { type Caps, capsOf } from './caps.ts'
import { type ContractRules, contractRules } from './contract-rules.ts'
import type { PolicyLayer } from './decision.ts'
import { intersectSwitches } from './intersect.ts'
import { isSet, type LayeredPolicy, layeredPolicies } from './layered-policies.ts'
import { defaultRules } from './parse-policy.ts'
import type { Layers } from './policy.ts'
import { chainGroup, type PolicyNames } from './policy-names.ts'
import { type TokenRules, tokenRules } from './token-rules.ts'

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
  /** Where messages may log in: the lists, and the layer to name where there is none. */
  readonly signIns: { readonly unlisted: PolicyLayer | null; readonly lists: readonly AllowList[] }
  readonly allowRawHash: boolean
  readonly caps: Caps
  /** Milliseconds since 1970: from then on nothing may be evaluated by this; the caller sees to it. */
  readonly expiresAtMs: number | null
}

/**
 * Makes layers ready for evaluation; once per grant, since it costs more than an evaluation. Versions of a layer all count. An
 * organization that is not given has the default rules.
 */
export function compile(layers: Layers, lasting: PolicyNames): Compiled {
  const names = lasting.remembered()
  const rules = layers.organization.length > 0 ? layers.organization : [defaultRules]
  const policies = layeredPolicies(layers)
  const { token_mode, allow_raw_hash } = intersectSwitches(layers, names)
  const ofChain = (handle: string) => chainGroup(handle, names)
  const ofRecipient = (text: string) => names.recipientKeys(text)[0]
  const recipients = allowLists(policies, 'allowed_recipients', ofRecipient)
  const allowed = onAll(recipients, ofRecipient)
  const blockedRecipients = denied(
    rules.flatMap((one) => one.blocked_recipients),
    // Thousands of names, none of them twice: to remember them would cost more than it spares.
    (text) => readings(text).flatMap(lasting.assetKeys),
  )
  return {
    names: lasting,
    methods: allowLists(policies, 'allowed_methods', String),
    chains: allowLists(policies, 'allowed_chains', ofChain),
    blockedChains: denied(
      rules.flatMap((one) => one.blocked_chains),
      (handle) => [ofChain(handle)],
    ),
    recipients,
    blockedRecipients,
    allowedHolders: once(() => lasting.tokenHolders(allowed)),
    blockedHolders: once(() => lasting.tokenHolders([...blockedRecipients.values()])),
    contracts: contractRules(layers, names),
    tokens: tokenRules(layers, token_mode, names),
    signIns: {
      unlisted: isSet(layers, 'allowed_sign_in_domains') ? null : nearest(layers),
      lists: allowLists(policies, 'allowed_sign_in_domains', (domain) => domain.toLowerCase()),
    },
    allowRawHash: allow_raw_hash,
    caps: capsOf(layers, rules),
    expiresAtMs: least(policies.map(({ policy }) => policy.expires_at)),
  }
}

function allowLists(
  policies: readonly LayeredPolicy[],
  field: 'allowed_methods' | 'allowed_chains' | 'allowed_recipients' | 'allowed_sign_in_domains',
  keyOf: (text: string) => string,
): readonly AllowList[] {
  return policies.flatMap(({ layer, policy }) => {
    const list = policy[field]
    return list === null ? [] : [{ layer, keys: new Set(list.map(keyOf)), list }]
  })
}

const nearest = ({ agent }: Layers): PolicyLayer => (agent.length > 0 ? 'agent' : 'session')

function denied(texts: readonly string[], keysOf: (text: string) => readonly string[]): Deny {
  const byKey = new Map<string, string>()
  for (const text of texts) for (const key of keysOf(text)) byKey.set(key, text)
  return byKey
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
