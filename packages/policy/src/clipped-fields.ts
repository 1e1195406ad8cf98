import { type EffectiveJson, effectiveToJson } from './effective-to-json.ts'
import { intersect } from './intersect.ts'
import { defaultRules } from './parse-rules.ts'
import type { Layers, Policy } from './policy.ts'
import type { PolicyNames } from './policy-names.ts'

const fields = [
  'max_spend_per_tx_native',
  'max_spend_total_native',
  'allowed_chains',
  'allowed_methods',
  'allowed_recipients',
  'allowed_tokens',
  'allowed_contracts',
  'max_fee_per_tx_native',
  'max_tx_count',
  'expires_at',
] as const satisfies readonly (keyof EffectiveJson)[]

/**
 * The fields of a session's policy that another layer makes stricter than `asked`, in the words and order of the wire; what was
 * not asked for is asked without limit, but for tokens and contracts, which are then left to the agent. `ttlBoundMs` is when the
 * organization ends its sessions at the latest (null: does not).
 */
export function clippedFields(
  asked: Policy,
  layers: Pick<Layers, 'organization' | 'agent'>,
  names: PolicyNames,
  ttlBoundMs: number | null = null,
): string[] {
  const bound: Policy = { ...asked, expiresAtMs: ttlBoundMs ?? asked.expiresAtMs }
  const effective = intersect({ ...layers, session: [asked, bound] }, names)
  const alone = intersect(
    { organization: [{ ...defaultRules, tokenMode: 'any' }], agent: [], session: [asked] },
    names,
  )
  const [effectiveJson, aloneJson] = [effectiveToJson(effective), effectiveToJson(alone)]
  return fields.filter((field) => {
    if (field === 'allowed_tokens' && asked.allowedTokens === null && effective.tokenMode !== 'any')
      return false
    if (field === 'allowed_contracts' && asked.allowedContracts === null) return false
    return JSON.stringify(effectiveJson[field]) !== JSON.stringify(aloneJson[field])
  })
}
