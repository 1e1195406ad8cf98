import { type FieldKind, kindOf } from './field-kinds.ts'
import { agentFields, organizationFields } from './field-rows.ts'
import { readField, readObject } from './json-fields.ts'
import type { Policy, Rules } from './policy.ts'
import type { PolicyFieldRow } from './policy-field-row.ts'

const agentKinds = kindsOf(agentFields)
const organizationKinds = kindsOf(organizationFields)

/**
 * Reads the policy of an agent or session, in wire form: the same closed schema as `AgentPolicy` of `@symbolon/api`,
 * without its dependency. Anything else is a `PolicyError`.
 */
export function parsePolicy(json: unknown): Policy {
  return parseFields(json, 'policy', agentKinds) as Policy
}

/** Reads the rules of an organization, as strictly (`OrganizationRules` of `@symbolon/api`). */
export function parseRules(json: unknown): Rules {
  return parseFields(json, 'rules', organizationKinds) as Rules
}

/** The rules of an organization that has set none. */
export const defaultRules: Rules = parseRules({})

type Kinds = { readonly names: readonly string[]; readonly kinds: readonly FieldKind<unknown>[] }

function kindsOf(rows: readonly PolicyFieldRow[]): Kinds {
  return { names: rows.map(({ name }) => name), kinds: rows.map(kindOf) }
}

function parseFields(json: unknown, path: string, { names, kinds }: Kinds): object {
  const fields = readObject(json, path, names)
  const values: Record<string, unknown> = {}
  for (const [i, name] of names.entries()) {
    const kind = kinds[i]
    if (kind !== undefined) values[name] = readField(fields, name, kind.read, kind.absent)
  }
  return values
}
