import { policyFields } from '@symbolon/policy/fields'
import type { AgentPolicy, OrganizationRules } from '@symbolon/sdk/portal'
import { type DraftOf, draftKind, type PolicyField } from './draft-kinds.ts'

/** Every field of the table while it is edited, by name. */
export type FieldsDraft = { [field in PolicyField as field['name']]: DraftOf<field> }

/** A policy while it is edited. */
export type PolicyDraft = Pick<FieldsDraft, keyof AgentPolicy>

/** The rules of an organization while they are edited. */
export type RulesDraft = Pick<FieldsDraft, keyof OrganizationRules>

/** The fields of a policy, and those of the rules. */
export const agentFields = policyFields.filter(({ layers }) => layers[0] === 'agent')
/** The fields of an organization's rules. */
export const rulesFields = policyFields.filter(({ layers }) => layers[0] === 'organization')

/** A policy as the editor has it. */
export const draftOf = (policy: AgentPolicy): PolicyDraft => draftsOf(agentFields, policy) as PolicyDraft

/** Rules as the form has them. */
export const rulesDraftOf = (rules: OrganizationRules): RulesDraft =>
  draftsOf(rulesFields, rules) as RulesDraft

/** The policy that a draft says; undefined while something in it is no amount, or what has to be chosen is not said yet. */
export const policyOf = (draft: PolicyDraft): AgentPolicy | undefined => valuesOf(agentFields, draft)

/** The rules that a draft says; undefined while an amount in it is none. */
export const rulesOf = (draft: RulesDraft): OrganizationRules | undefined => valuesOf(rulesFields, draft)

/** What a new agent begins with: only listed recipients, a total that has to be said, and one chain where one is known. */
export function newDraft(chain: string | undefined): PolicyDraft {
  return {
    ...draftOf({}),
    max_spend_total_native: '',
    allowed_recipients: '',
    allowed_chains: chain === undefined ? undefined : [chain],
  }
}

/** Whether a draft lets all that a wallet has go to anybody. */
export function isBoundlessDraft(draft: PolicyDraft): boolean {
  return (
    draft.allowed_methods.includes('sendTransaction') &&
    draft.max_spend_total_native === undefined &&
    draft.allowed_recipients === undefined &&
    draft.allowed_chains?.length !== 0
  )
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
