import type { PortalRole } from '@symbolon/api'
import type { Queryable } from '../../db/pool.ts'

/** A membership with the person behind it. */
export type MemberRow = {
  id: string
  userId: string
  email: string
  name: string
  role: PortalRole
  isInvited: boolean
  createdAt: Date
}

/** An owner who gets emails about the organization; `company` is its name. */
export type Owner = { userId: string; email: string; company: string }

const columns = `m.id, m.user_id as "userId", u.email, u.name, m.role, u.issuer is null as "isInvited",
  m.created_at as "createdAt"`

/** The statements of memberships. */
export const membersStore = {
  async list(sql: Queryable, organizationId: string): Promise<MemberRow[]> {
    return sql<MemberRow[]>`
      select ${sql.unsafe(columns)} from organization_members m join portal_users u on u.id = m.user_id
      where m.organization_id = ${organizationId} order by m.created_at, m.id`
  },

  async get(sql: Queryable, organizationId: string, id: string): Promise<MemberRow | undefined> {
    const rows = await sql<MemberRow[]>`
      select ${sql.unsafe(columns)} from organization_members m join portal_users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and m.id = ${id}`
    return rows[0]
  },

  async ofUser(sql: Queryable, organizationId: string, userId: string): Promise<MemberRow | undefined> {
    const rows = await sql<MemberRow[]>`
      select ${sql.unsafe(columns)} from organization_members m join portal_users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and m.user_id = ${userId}`
    return rows[0]
  },

  /** Adds a member; false when the user is one already. `hasEntered`: whoever makes a company is in it. */
  async insert(
    sql: Queryable,
    member: { id: string; organizationId: string; userId: string; role: PortalRole; hasEntered?: true },
  ): Promise<boolean> {
    const rows = await sql`
      insert into organization_members (id, organization_id, user_id, role, entered_at)
      values (${member.id}, ${member.organizationId}, ${member.userId}, ${member.role},
        case when ${member.hasEntered === true} then app_now() end)
      on conflict (organization_id, user_id) do nothing
      returning id`
    return rows.length === 1
  },

  /** Adds the owner of an organization without members; does nothing for others, or when the organization does not exist. */
  async insertFirst(
    sql: Queryable,
    member: { id: string; organizationId: string; userId: string },
  ): Promise<void> {
    await sql`
      insert into organization_members (id, organization_id, user_id, role)
      select ${member.id}, o.id, ${member.userId}, 'owner' from organizations o
      where o.id = ${member.organizationId}
        and not exists (select from organization_members m where m.organization_id = o.id)
      on conflict (organization_id, user_id) do nothing`
  },

  async setRole(sql: Queryable, id: string, role: PortalRole): Promise<void> {
    await sql`update organization_members set role = ${role} where id = ${id}`
  },

  async delete(sql: Queryable, id: string): Promise<void> {
    await sql`delete from organization_members where id = ${id}`
  },

  /** Whether the member still has the role, held until the transaction ends: a removed member changes nothing. */
  async isMember(
    tx: Queryable,
    { organizationId, userId, role }: { organizationId: string; userId: string; role: PortalRole },
  ): Promise<boolean> {
    const rows = await tx`
      select 1 from organization_members
      where organization_id = ${organizationId} and user_id = ${userId} and role = ${role} for share`
    return rows.length === 1
  },

  /**
   * Locks the organization's members until the transaction ends, so that the number of owners read after it holds. Returns the user's
   * current role.
   */
  async lock(tx: Queryable, organizationId: string, userId: string): Promise<PortalRole | undefined> {
    await tx`select 1 from organizations where id = ${organizationId} for no key update`
    const rows = await tx<{ role: PortalRole }[]>`
      select role from organization_members where organization_id = ${organizationId} and user_id = ${userId}`
    return rows[0]?.role
  },

  /** The owners who have opened the organization in the portal: anybody can be named as an owner, and gets an invitation and nothing else. */
  async owners(sql: Queryable, organizationId: string): Promise<Owner[]> {
    return sql<Owner[]>`
      select m.user_id as "userId", u.email, o.name as company from organization_members m
      join portal_users u on u.id = m.user_id join organizations o on o.id = m.organization_id
      where m.organization_id = ${organizationId} and m.role = 'owner' and m.entered_at is not null
      order by u.email`
  },
}
