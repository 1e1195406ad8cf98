import type { Queryable } from '../../db/pool.ts'
import type { ProvenPerson } from '../../ports/identity-provider.ts'

/** Somebody who may use the portal. */
export type PortalUser = { id: string; email: string; name: string }

/** The statements of the people who use the portal. */
export const portalUsersStore = {
  /**
   * The user behind a login, made at the first one. Somebody who was invited by email is the person whose verified address
   * it is; an address that another person already holds is not taken from them.
   */
  async ofPerson(tx: Queryable, newId: string, person: ProvenPerson): Promise<PortalUser | undefined> {
    const { issuer, subject, email, name } = person
    const known = await tx<PortalUser[]>`
      update portal_users u set name = ${name},
        email = case when exists (select from portal_users o where o.email = ${email} and o.id <> u.id) then u.email
          else ${email} end
      where issuer = ${issuer} and subject = ${subject}
      returning id, email, name`
    if (known[0] !== undefined) return known[0]
    const rows = await tx<PortalUser[]>`
      insert into portal_users (id, email, name, issuer, subject) values (${newId}, ${email}, ${name}, ${issuer}, ${subject})
      on conflict (email) do update set issuer = ${issuer}, subject = ${subject}, name = ${name}
        where portal_users.issuer is null
          or (portal_users.issuer, portal_users.subject) = (excluded.issuer, excluded.subject)
      returning id, email, name`
    return rows[0]
  },

  /** The user with this address, invited if there was none. */
  async ofEmail(sql: Queryable, newId: string, email: string): Promise<PortalUser> {
    const rows = await sql<PortalUser[]>`
      insert into portal_users (id, email) values (${newId}, ${email})
      on conflict (email) do update set email = portal_users.email
      returning id, email, name`
    const [row] = rows
    if (row === undefined) throw new Error('A portal user was neither found nor made.')
    return row
  },
}
