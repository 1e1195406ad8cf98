import { getUsage } from '@symbolon/api'
import type { Queryable } from '../../db/pool.ts'
import { on } from '../../http/handler.ts'
import { usageOf } from './usage.ts'

/** The usage of a company's wallets, per day. */
export const usageRoutes = (sql: Queryable) => [
  on(getUsage, ({ principal, query }) => usageOf(sql, principal.organization.id, query)),
]
