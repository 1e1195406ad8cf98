import { type EndUser, listEndUsers } from '@symbolon/api'
import type { Sql } from '../../db/pool.ts'
import { on } from '../../http/handler.ts'
import { type EndUserRow, listEndUsers as readEndUsers } from './end-users.store.ts'

/** The end users of an organization. */
export const endUsersRoutes = (sql: Sql) => [
  on(listEndUsers, async ({ principal, query }) => {
    const { limit, offset } = query
    const { items, total } = await readEndUsers(sql, { organizationId: principal.organization.id, ...query })
    return { items: items.map(wireEndUser), total, limit, offset }
  }),
]

const wireEndUser = (row: EndUserRow): EndUser => ({
  user_identity_id: row.id,
  auth_provider: row.authProvider,
  provider_user_id: row.providerUserId,
  email: row.email,
  wallets: row.wallets,
  created_at: row.createdAt.toISOString(),
})
