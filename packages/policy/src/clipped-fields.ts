import { effectiveToJson } from './effective-to-json.ts'
import { agentFields } from './field-rows.ts'
import { intersect } from './intersect.ts'
import { defaultRules } from './parse-policy.ts'
import type { Effective, Layers, Policy } from './policy.ts'
import type { PolicyNames } from './policy-names.ts'

/**
 * The fields of a session's policy that another layer makes stricter than `asked`, in the words and order of the wire; what was
 * not asked for is asked without limit, but for tokens, contracts and sign-ins, which are then left to the agent. `ttlBoundMs` is when the
 * organization ends its sessions at the latest (null: does not).
 */
export function clippedFields(
  asked: Policy,
  layers: Pick<Layers, 'organization' | 'agent'>,
  names: PolicyNames,
  ttlBoundMs: number | null = null,
): string[] {
  const bound: Policy = { ...asked, expires_at: ttlBoundMs ?? asked.expires_at }
  const effective = intersect({ ...layers, session: [asked, bound] }, names)
  const unlimited = { organization: [{ ...defaultRules, token_mode: 'any' as const }], agent: [] }
  const alone = intersect({ ...unlimited, session: [asked] }, names)
  const [effectiveJson, aloneJson] = [effectiveToJson(effective), effectiveToJson(alone)]
  return agentFields
    .filter(
      ({ name }) =>
        !isLeftToAgent(name, asked, effective) &&
        JSON.stringify(effectiveJson[name]) !== JSON.stringify(aloneJson[name]),
    )
    .map(({ name }) => name)
}

function isLeftToAgent(name: keyof Policy, asked: Policy, { token_mode }: Effective): boolean {
  if (name === 'allowed_tokens') return asked.allowed_tokens === null && token_mode !== 'any'
  return (name === 'allowed_contracts' || name === 'allowed_sign_in_domains') && asked[name] === null
}
