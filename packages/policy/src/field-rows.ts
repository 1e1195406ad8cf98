import { policyFields } from './fields.ts'
import type { FieldsOf, PolicyField } from './policy.ts'

/** The fields of the agent's and the session's layer, in their order. */
export const agentFields: readonly FieldsOf<readonly ['agent', 'session']>[] = policyFields.filter(isOfAgent)

/** The fields of the organization's layer, in their order. */
export const organizationFields: readonly FieldsOf<readonly ['organization']>[] =
  policyFields.filter(isOfOrganization)

function isOfOrganization(row: PolicyField): row is FieldsOf<readonly ['organization']> {
  return row.layers[0] === 'organization'
}

function isOfAgent(row: PolicyField): row is FieldsOf<readonly ['agent', 'session']> {
  return row.layers[0] === 'agent'
}
