import {
  addMember as add,
  changeMember as change,
  listMembers,
  type Member,
  removeMember as remove,
} from '@symbolon/api'
import { on } from '../../http/handler.ts'
import { mapResult } from '../../runtime/failure.ts'
import { type MemberRow, membersStore } from './members.store.ts'
import { addMember, changeMember, type MembersCtx, removeMember } from './members.ts'

/** The members of an organization. */
export const membersRoutes = (ctx: MembersCtx) => [
  on(listMembers, async ({ principal }) => ({
    items: (await membersStore.list(ctx.sql, principal.organization.id)).map(wireMember),
  })),
  on(add, async ({ principal, body }) => mapResult(await addMember(ctx, principal, body), wireMember)),
  on(change, async ({ principal, params, body }) =>
    mapResult(await changeMember(ctx, principal, { id: params.memberID, role: body.role }), wireMember),
  ),
  on(remove, ({ principal, params }) => removeMember(ctx, principal, params.memberID)),
]

const wireMember = (row: MemberRow): Member => ({
  id: row.id,
  user_id: row.userId,
  email: row.email,
  name: row.name,
  role: row.role,
  is_invited: row.isInvited,
  created_at: row.createdAt.toISOString(),
})
