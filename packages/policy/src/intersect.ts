import { type IntersectContext, kindOf } from './field-kinds.ts'
import { agentFields, organizationFields } from './field-rows.ts'
import { isSet } from './layered-policies.ts'
import { defaultRules } from './parse-policy.ts'
import type { AllowedContract, Effective, Layers, Policy, Rules } from './policy.ts'
import type { PolicyFieldRow } from './policy-field-row.ts'
import { type PolicyNames, placeKey } from './policy-names.ts'

/**
 * The effective policy of all layers (agents.md "Policy"), field by field as the kinds of the table say. Lists keep the spelling and order
 * of the session's, then the agent's. `evaluate` finds under it what it finds under the layers, but for the layer that it names.
 */
export function intersect(layers: Layers, names: PolicyNames): Effective {
  const rules = intersectRules(layers, names)
  const policies = [...layers.session, ...layers.agent]
  const policy = intersectFields(agentFields, policies, (row) => ({
    names,
    blocked: 'without' in row ? rules[row.without] : [],
  })) as Policy
  const allowed_tokens = openTokens(layers, policy, rules, names)
  return {
    ...policy,
    ...rules,
    allowed_tokens,
    allowed_sign_in_domains: isSet(layers, 'allowed_sign_in_domains') ? policy.allowed_sign_in_domains : [],
    allowed_contracts: callableContracts(layers, policy, allowed_tokens, names),
  }
}

/** What is left of the organization's versions; one that has set no rules has the default ones. */
const intersectRules = (layers: Layers, names: PolicyNames): Rules =>
  intersectRuleFields(organizationFields, layers, names) as Rules

type Switches = Pick<Rules, 'token_mode' | 'allow_raw_hash'>
const switches = organizationFields.filter(({ name }) => name === 'token_mode' || name === 'allow_raw_hash')

/** `intersectRules` of what is no list, for those who keep the lists apart. */
export const intersectSwitches = (layers: Layers, names: PolicyNames): Switches =>
  intersectRuleFields(switches, layers, names) as Switches

function intersectRuleFields(
  rows: typeof organizationFields,
  { organization }: Layers,
  names: PolicyNames,
): object {
  const versions = organization.length > 0 ? organization : [defaultRules]
  return intersectFields(rows, versions, () => ({ names, blocked: [] }))
}

function intersectFields<row extends PolicyFieldRow>(
  rows: readonly row[],
  versions: readonly Readonly<Record<row['name'], unknown>>[],
  contextOf: (row: row) => IntersectContext,
): object {
  return Object.fromEntries(
    rows.map((row) => {
      const name: row['name'] = row.name
      const values = versions.map((version) => version[name])
      return [name, kindOf(row).intersect(values, contextOf(row))]
    }),
  )
}

/** The intersection of the lists, if tokens may move at all and a layer lists them or allows any; otherwise its caps of native assets alone. */
function openTokens(
  layers: Layers,
  { allowed_tokens }: Policy,
  { token_mode }: Rules,
  names: PolicyNames,
): Policy['allowed_tokens'] {
  const isOpen = token_mode === 'any' || isSet(layers, 'allowed_tokens')
  if (isOpen && token_mode !== 'none') return allowed_tokens
  return (allowed_tokens ?? []).filter(({ chain, token }) => names.isNativeAsset(chain, token))
}

/** The intersection of the lists, if any layer has one. A token of one layer that the intersection lacks cannot be called as a contract either. */
function callableContracts(
  layers: Layers,
  { allowed_contracts }: Policy,
  tokens: Policy['allowed_tokens'],
  names: PolicyNames,
): readonly AllowedContract[] {
  if (!isSet(layers, 'allowed_contracts')) return []
  const keysOf = (list: Policy['allowed_tokens']) =>
    new Set(
      list
        ?.filter(({ chain, token }) => !names.isNativeAsset(chain, token))
        .map(({ chain, token }) => placeKey(chain, token, names)),
    )
  const listed = keysOf([...layers.session, ...layers.agent].flatMap((policy) => policy.allowed_tokens ?? []))
  const spendable = keysOf(tokens)
  return (allowed_contracts ?? []).filter(({ chain, address }) => {
    const key = placeKey(chain, address, names)
    return spendable.has(key) || !listed.has(key)
  })
}
