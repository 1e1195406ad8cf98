import { getRules, putRules as put } from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import { mapResult } from '../../../runtime/failure.ts'
import { type RulesRow, rulesStore } from './rules.store.ts'
import { putRules, type RulesCtx } from './rules.ts'

/** The rules that all agents of an organization obey. */
export const rulesRoutes = (ctx: RulesCtx) => [
  on(getRules, async ({ principal }) => wireRules(await rulesStore.get(ctx.sql, principal.organization.id))),
  on(put, async ({ principal, body }) => mapResult(await putRules(ctx, principal, body), wireRules)),
]

const wireRules = ({ rules, updatedAt }: RulesRow) => ({
  rules,
  updated_at: updatedAt?.toISOString() ?? null,
})
