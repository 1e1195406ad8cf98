import { policyFields } from '@symbolon/policy/fields'
import type { AgentPolicy, OrganizationRules } from '@symbolon/sdk/portal'
import { lossLimits } from './boundless.ts'
import {
  draftKind,
  type FieldsDraft,
  type PolicyDraft,
  type PolicyField,
  type RulesDraft,
} from './draft-kinds.ts'

/** The fields of an agent's policy. */
export const agentFields = policyFields.filter(({ layers }) => layers[0] === 'agent')
/** The fields of an organization's rules. */
export const rulesFields = policyFields.filter(({ layers }) => layers[0] === 'organization')

/** The draft of a policy. */
export const draftOf = (policy: AgentPolicy): PolicyDraft => draftsOf(agentFields, policy) as PolicyDraft

/** The draft of an organization's rules. */
export const rulesDraftOf = (rules: OrganizationRules): RulesDraft =>
  draftsOf(rulesFields, rules) as RulesDraft

/** The policy of a draft; undefined while an amount in it is invalid or a required one is missing. */
export const policyOf = (draft: PolicyDraft): AgentPolicy | undefined => valuesOf(agentFields, draft)

/** The rules of a draft; undefined while an amount in it is invalid. */
export const rulesOf = (draft: RulesDraft): OrganizationRules | undefined => valuesOf(rulesFields, draft)

/** The draft for a new agent: every limit on losses is on and to be filled in, and one chain is chosen if one is known. */
export function newDraft(chain: string | undefined): PolicyDraft {
  return {
    ...draftOf({}),
    ...Object.fromEntries(lossLimits.map(({ name }) => [name, ''])),
    allowed_chains: chain === undefined ? undefined : [chain],
  }
}

function draftsOf(fields: readonly PolicyField[], values: AgentPolicy & OrganizationRules): object {
  return Object.fromEntries(fields.map((field) => [field.name, draftKind(field).draftOf(values[field.name])]))
}

function valuesOf(fields: readonly PolicyField[], draft: Partial<FieldsDraft>): object | undefined {
  const said = fields.map((field) => [field.name, draftKind(field).valueOf(draft[field.name])] as const)
  if (said.some(([, one]) => one === 'wrong')) return undefined
  return Object.fromEntries(
    said.flatMap(([name, one]) => (typeof one === 'object' ? [[name, one.value]] : [])),
  )
}
