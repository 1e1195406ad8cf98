import type { AuditEventType, PortalRole } from '@symbolon/api'
import type { Sql, Transaction } from '../../db/pool.ts'
import type { MemberPrincipal } from '../../http/principal.ts'
import type { Ids } from '../../ports/clock.ts'
import { type Failure, failure, isFailure } from '../../runtime/failure.ts'
import type { Audit } from '../audit/index.ts'
import { enqueue, type Outbox } from '../outbox/index.ts'
import { invitationMail } from './invitation-mail.ts'
import { type MemberRow, membersStore, type Owner } from './members.store.ts'
import type { OwnerNotices } from './owner-notices.ts'
import { portalUsersStore } from './portal-users.store.ts'

/** The context for managing the members of organizations. `portalUrl` is the link in invitations. */
export type MembersCtx = {
  sql: Sql
  ids: Ids
  audit: Audit
  notices: OwnerNotices
  outbox: Outbox
  portalUrl: string
}

/** Adds the person with this address and emails an invitation. Adding a member again in the same role changes nothing. */
export async function addMember(
  ctx: MembersCtx,
  principal: MemberPrincipal,
  { email, role }: { email: string; role: PortalRole },
): Promise<MemberRow | Failure<'forbidden' | 'not_found' | 'invalid_request'>> {
  const { id: organizationId } = principal.organization
  const member = await ctx.sql.begin(async (tx) => {
    const own = await lockMembers(tx, principal)
    if (isFailure(own)) return own
    if (!mayManage(own, role)) return failure('forbidden')
    const user = await portalUsersStore.ofEmail(tx, ctx.ids.next(), email)
    const id = ctx.ids.next()
    const isNew = await membersStore.insert(tx, { id, organizationId, userId: user.id, role })
    const row = await membersStore.ofUser(tx, organizationId, user.id)
    if (row === undefined) throw new Error('A member was neither found nor created.')
    if (!isNew && row.role !== role) return failure('invalid_request', { details: { issues: [otherRole] } })
    if (!isNew) return row
    await record(ctx, tx, 'member.added', principal, { member_id: id, user_id: user.id, role })
    const added = isManager(role) ? `${withArticle[role]} was added` : undefined
    if (added !== undefined) await notifyOwners(ctx, tx, principal, { changed: added, of: row.email })
    const mail = invitationMail({ portalUrl: ctx.portalUrl, role, invitedBy: principal.user.email })
    await enqueue(tx, 'mail', ctx.outbox.seal({ to: row.email, ...mail }), organizationId)
    return row
  })
  if (!isFailure(member)) ctx.outbox.nudge()
  return member
}

/** Gives a member another role. */
export async function changeMember(
  ctx: MembersCtx,
  principal: MemberPrincipal,
  { id, role }: { id: string; role: PortalRole },
): Promise<MemberRow | Failure<'forbidden' | 'not_found' | 'last_owner'>> {
  const { id: organizationId } = principal.organization
  const changed = await ctx.sql.begin(async (tx) => {
    const own = await lockMembers(tx, principal)
    if (isFailure(own)) return own
    const member = await membersStore.get(tx, organizationId, id)
    if (member === undefined) return failure('not_found')
    if (!mayManage(own, member.role) || !mayManage(own, role)) return failure('forbidden')
    if (role === member.role) return member
    if (role !== 'owner' && (await isLastOwner(tx, organizationId, member))) return failure('last_owner')
    const owners = await membersStore.owners(tx, organizationId)
    await membersStore.setRole(tx, id, role)
    await record(ctx, tx, 'member.updated', principal, {
      member_id: id,
      user_id: member.userId,
      before: { role: member.role },
      after: { role },
    })
    const changed = changeOf(member.role, role)
    if (changed !== undefined) await notifyOwners(ctx, tx, principal, { changed, of: member.email }, owners)
    return { ...member, role }
  })
  if (!isFailure(changed)) ctx.notices.nudge()
  return changed
}

/** Removes a member: yourself, or others as an admin; owners only as an owner. */
export async function removeMember(
  ctx: MembersCtx,
  principal: MemberPrincipal,
  id: string,
): Promise<undefined | Failure<'forbidden' | 'not_found' | 'last_owner'>> {
  const { id: organizationId } = principal.organization
  const refused = await ctx.sql.begin(async (tx) => {
    const own = await lockMembers(tx, principal)
    if (isFailure(own)) return own
    const member = await membersStore.get(tx, organizationId, id)
    if (member === undefined) return failure('not_found')
    if (member.userId !== principal.user.id && !mayManage(own, member.role)) return failure('forbidden')
    if (await isLastOwner(tx, organizationId, member)) return failure('last_owner')
    const owners = await membersStore.owners(tx, organizationId)
    await membersStore.delete(tx, id)
    await record(ctx, tx, 'member.removed', principal, {
      member_id: id,
      user_id: member.userId,
      before: { role: member.role },
    })
    if (isManager(member.role)) {
      const changed = `${withArticle[member.role]} was removed`
      await notifyOwners(ctx, tx, principal, { changed, of: member.email }, owners)
    }
    return undefined
  })
  if (refused === undefined) ctx.notices.nudge()
  return refused
}

/** Whether the principal still is a member in this role, held until the transaction ends. */
export const isMember = (tx: Transaction, { organization, user, role }: MemberPrincipal): Promise<boolean> =>
  membersStore.isMember(tx, { organizationId: organization.id, userId: user.id, role })

/** Locks the organization's members and returns the principal's current role; `not_found` for somebody who was removed. */
async function lockMembers(
  tx: Transaction,
  { organization, user }: MemberPrincipal,
): Promise<PortalRole | Failure<'not_found'>> {
  return (await membersStore.lock(tx, organization.id, user.id)) ?? failure('not_found')
}

/** Whether the organization would have no owner without the member. Ask behind the lock. */
async function isLastOwner(tx: Transaction, organizationId: string, member: MemberRow): Promise<boolean> {
  if (member.role !== 'owner') return false
  const owners = (await membersStore.list(tx, organizationId)).filter(({ role }) => role === 'owner')
  return owners.length === 1
}

/**
 * Owners are notified when owners or admins change: an attacker would add one. `owners`: those before the change, as one of them may be
 * who was removed.
 */
const notifyOwners = (
  { notices }: MembersCtx,
  tx: Transaction,
  { organization, user }: MemberPrincipal,
  what: { changed: string; of: string },
  owners?: readonly Owner[],
): Promise<void> => notices.queue(tx, organization.id, { ...what, by: user.email }, owners)

const withArticle = { owner: 'an owner', admin: 'an admin' } as const

const isManager = (role: PortalRole): role is keyof typeof withArticle => role in withArticle

/** What owners are told about another role; nothing where neither role manages the company. */
function changeOf(before: PortalRole, after: PortalRole): string | undefined {
  if (isManager(after)) return `a member was made ${withArticle[after]}`
  return isManager(before) ? `${withArticle[before]} was made a ${after}` : undefined
}

const record = (
  { audit }: MembersCtx,
  tx: Transaction,
  type: AuditEventType,
  { organization, user }: MemberPrincipal,
  payload: Record<string, unknown>,
) =>
  audit.append(tx, {
    organizationId: organization.id,
    type,
    actorType: 'portal_user',
    actorId: user.id,
    payload,
    success: true,
  })

const otherRole = { path: ['email'], message: 'is already a member: change the role with PATCH' }

/** Admins manage everybody but owners; only owners add, change or remove owners. */
const mayManage = (own: PortalRole, role: PortalRole) =>
  own === 'owner' || (own === 'admin' && role !== 'owner')
