import { listMyReceipts, listReceipts as listRoute } from '@symbolon/api'
import type { Queryable } from '../../db/pool.ts'
import { on } from '../../http/handler.ts'
import { listOwnReceipts, listReceipts } from './receipts.ts'

/** The lists of receipts, for backends and for users. */
export const receiptsRoutes = (sql: Queryable) => [
  on(listRoute, ({ principal, query }) => listReceipts(sql, principal.organization.id, query)),

  on(listMyReceipts, ({ principal: { organization, identity }, query }) =>
    listOwnReceipts(sql, { organizationId: organization.id, identityId: identity.id }, query),
  ),
]
