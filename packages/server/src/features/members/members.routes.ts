import { addMember, changeMember, listMembers, type Member, removeMember } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { MemberRow } from './members.store.ts'
import type { Members } from './members.ts'

/** Who belongs to a company. */
export const membersRoutes = (members: Members) => [
  on(listMembers, async ({ caller }) => ({
    items: (await members.list(caller.organization.id)).map(wireMember),
  })),
  on(addMember, async ({ caller, body, fail }) => wireMember(await members.add(caller, body, fail))),
  on(changeMember, async ({ caller, params, body, fail }) =>
    wireMember(await members.change(caller, { id: params.memberID, role: body.role }, fail)),
  ),
  on(removeMember, async ({ caller, params, fail }) => {
    await members.remove(caller, params.memberID, fail)
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
