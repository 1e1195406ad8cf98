import { getRules, putRules } from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import type { RulesRow } from './rules.store.ts'
import type { Rules } from './rules.ts'

/** The rules that all agents of a company obey. */
export const rulesRoutes = (rules: Rules) => [
  on(getRules, async ({ principal }) => wireRules(await rules.get(principal.organization.id))),
  on(putRules, async ({ principal, body, fail }) => wireRules(await rules.put(principal, body, fail))),
]

const wireRules = ({ rules, updatedAt }: RulesRow) => ({
  rules,
  updated_at: updatedAt?.toISOString() ?? null,
})
