import { addMember, changeMember, listMembers, type Member, removeMember } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { MemberRow } from './members.store.ts'
import type { Members } from './members.ts'

/** Who belongs to a company. */
export const membersRoutes = (members: Members) => [
  on(listMembers, async ({ principal }) => ({
    items: (await members.list(principal.organization.id)).map(wireMember),
  })),
  on(addMember, async ({ principal, body, fail }) => wireMember(await members.add(principal, body, fail))),
  on(changeMember, async ({ principal, params, body, fail }) =>
    wireMember(await members.change(principal, { id: params.memberID, role: body.role }, fail)),
  ),
  on(removeMember, async ({ principal, params, fail }) => {
    await members.remove(principal, params.memberID, fail)
  }),
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
