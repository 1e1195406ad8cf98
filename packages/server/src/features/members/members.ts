import type { AuditEventType, Fail, PortalRole } from '@symbolon/api'
import type { Sql, Transaction } from '../../db/pool.ts'
import type { MemberPrincipal } from '../../http/principal.ts'
import type { Ids } from '../../ports/clock.ts'
import type { Audit } from '../audit/index.ts'
import type { Outbox, SealedRow } from '../outbox/index.ts'
import { invitationMail } from './invitation-mail.ts'
import { type MemberRow, membersStore } from './members.store.ts'
import type { OwnerNotices } from './owner-notices.ts'

/** The members of organizations. What depends on the caller's own role is judged by what they are behind the lock. */
export function members({
  sql,
  ids,
  audit,
  notices,
  outbox,
  queueMail,
  findUser,
  portalUrl,
}: {
  sql: Sql
  ids: Ids
  audit: Audit
  notices: OwnerNotices
  outbox: Outbox
  queueMail: (tx: Transaction, row: SealedRow) => Promise<void>
  /** The portal user with an address, invited if there was none. */
  findUser: (tx: Transaction, newId: string, email: string) => Promise<{ id: string }>
  portalUrl: string
}) {
  const record = (
    tx: Transaction,
    type: AuditEventType,
    principal: MemberPrincipal,
    payload: Record<string, unknown>,
  ) =>
    audit.append(tx, {
      organizationId: principal.organization.id,
      type,
      actorType: 'portal_user',
      actorId: principal.user.id,
      payload,
      success: true,
    })

  /** Owners hear of owners who come and go: an attacker would make one. */
  async function tellOwners(tx: Transaction, principal: MemberPrincipal, changed: string): Promise<void> {
    await notices.queue(tx, principal.organization.id, { changed, by: principal.user.email })
  }

  /** Refuses what would leave the organization without an owner; call it behind the lock. */
  async function keepOwner(
    tx: Transaction,
    organizationId: string,
    leaving: MemberRow,
    fail: Fail<'last_owner'>,
  ): Promise<void> {
    if (leaving.role !== 'owner') return
    const owners = (await membersStore.list(tx, organizationId)).filter(({ role }) => role === 'owner')
    if (owners.length === 1) throw fail('last_owner')
  }

  /** What the caller is now, behind the lock that every change of members takes. Somebody who was removed sees nothing. */
  async function lock(
    tx: Transaction,
    principal: MemberPrincipal,
    fail: Fail<'not_found'>,
  ): Promise<PortalRole> {
    const role = await membersStore.lock(tx, principal.organization.id, principal.user.id)
    if (role === undefined) throw fail('not_found')
    return role
  }

  return {
    list: (organizationId: string): Promise<MemberRow[]> => membersStore.list(sql, organizationId),

    /** Adds the person with this address and mails an invitation; somebody who has the role already keeps it. */
    async add(
      principal: MemberPrincipal,
      { email, role }: { email: string; role: PortalRole },
      fail: Fail<'forbidden' | 'not_found' | 'invalid_request'>,
    ): Promise<MemberRow> {
      const { id: organizationId } = principal.organization
      const member = await sql.begin(async (tx) => {
        if (!mayManage(await lock(tx, principal, fail), role)) throw fail('forbidden')
        const user = await findUser(tx, ids.next(), email)
        const id = ids.next()
        const isNew = await membersStore.insert(tx, { id, organizationId, userId: user.id, role })
        const row = await membersStore.ofUser(tx, organizationId, user.id)
        if (row === undefined) throw new Error('A member was neither found nor made.')
        if (!isNew && row.role !== role) throw fail('invalid_request', { details: { issues: [otherRole] } })
        if (!isNew) return row
        await record(tx, 'member.added', principal, { member_id: id, user_id: user.id, role })
        if (role === 'owner') await tellOwners(tx, principal, 'an owner was added')
        const mail = {
          to: row.email,
          ...invitationMail({ portalUrl, role, invitedBy: principal.user.email }),
        }
        await queueMail(tx, outbox.seal(mail))
        return row
      })
      outbox.nudge()
      return member
    },

    /** Gives a member another role. */
    async change(
      principal: MemberPrincipal,
      { id, role }: { id: string; role: PortalRole },
      fail: Fail<'forbidden' | 'not_found' | 'last_owner'>,
    ): Promise<MemberRow> {
      const { id: organizationId } = principal.organization
      const changed = await sql.begin(async (tx) => {
        const own = await lock(tx, principal, fail)
        const member = await membersStore.get(tx, organizationId, id)
        if (member === undefined) throw fail('not_found')
        if (!mayManage(own, member.role) || !mayManage(own, role)) throw fail('forbidden')
        if (role === member.role) return member
        if (role !== 'owner') await keepOwner(tx, organizationId, member, fail)
        if (role === 'owner' || member.role === 'owner')
          await tellOwners(tx, principal, 'who owns it was changed')
        await membersStore.setRole(tx, id, role)
        await record(tx, 'member.updated', principal, {
          member_id: id,
          user_id: member.userId,
          before: { role: member.role },
          after: { role },
        })
        return { ...member, role }
      })
      notices.nudge()
      return changed
    },

    /** Removes a member: oneself, or others as an admin; owners only as an owner. */
    async remove(
      principal: MemberPrincipal,
      id: string,
      fail: Fail<'forbidden' | 'not_found' | 'last_owner'>,
    ): Promise<void> {
      const { id: organizationId } = principal.organization
      await sql.begin(async (tx) => {
        const own = await lock(tx, principal, fail)
        const member = await membersStore.get(tx, organizationId, id)
        if (member === undefined) throw fail('not_found')
        if (member.userId !== principal.user.id && !mayManage(own, member.role)) throw fail('forbidden')
        await keepOwner(tx, organizationId, member, fail)
        if (member.role === 'owner') await tellOwners(tx, principal, 'an owner was removed')
        await membersStore.delete(tx, id)
        await record(tx, 'member.removed', principal, {
          member_id: id,
          user_id: member.userId,
          before: { role: member.role },
        })
      })
      notices.nudge()
    },
  }
}

const otherRole = { path: ['email'], message: 'is a member already: change the role with PATCH' }

/** Admins manage everybody but owners, whom only owners make, change or remove. */
const mayManage = (own: PortalRole, role: PortalRole) =>
  own === 'owner' || (own === 'admin' && role !== 'owner')

export type Members = ReturnType<typeof members>
