import { kindOf } from './field-kinds.ts'
import { agentFields, organizationFields } from './field-rows.ts'
import type { PolicyFieldRow } from './fields.ts'
import { readField, readObject } from './json-fields.ts'
import type { Policy, Rules } from './policy.ts'

/**
 * Reads the policy of an agent or session, in the words of the wire: the same closed schema as `AgentPolicy` of `@symbolon/api`,
 * without its dependency. Anything else is a `PolicyError`.
 */
export function parsePolicy(json: unknown): Policy {
  return parseFields(json, 'policy', agentFields) as Policy
}

/** Reads the rules of an organization, as strictly (`OrganizationRules` of `@symbolon/api`). */
export function parseRules(json: unknown): Rules {
  return parseFields(json, 'rules', organizationFields) as Rules
}

/** The rules of an organization that has set none. */
export const defaultRules: Rules = parseRules({})

function parseFields(json: unknown, path: string, rows: readonly PolicyFieldRow[]): object {
  const fields = readObject(
    json,
    path,
    rows.map(({ name }) => name),
  )
  return Object.fromEntries(
    rows.map((row) => {
      const { read, absent } = kindOf(row)
      return [row.name, readField(fields, row.name, read, absent)]
    }),
  )
}
