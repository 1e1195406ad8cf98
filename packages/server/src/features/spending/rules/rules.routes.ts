import { getRules, type OrganizationRules, type PutRules, putRules as put } from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import { mapResult } from '../../../runtime/failure.ts'
import { type RulesRow, rulesStore } from './rules.store.ts'
import { putRules, type RulesCtx } from './rules.ts'

/** The rules that all agents of an organization obey. */
export const rulesRoutes = (ctx: RulesCtx) => [
  on(getRules, async ({ principal }) => wireRules(await rulesStore.get(ctx.sql, principal.organization.id))),
  on(put, async ({ principal, body }) => mapResult(await putRules(ctx, principal, rulesOf(body)), wireRules)),
]

/** The rules of either form; the time of their last change is not the caller's to set. */
const rulesOf = ({ rules, updated_at: _, ...bare }: PutRules): OrganizationRules => rules ?? bare

const wireRules = ({ rules, updatedAt }: RulesRow) => ({
  rules,
  updated_at: updatedAt?.toISOString() ?? null,
})
