import * as z from 'zod'
import { Email, Id, Timestamp } from './formats.ts'
import { MemberRole } from './organization.ts'

/** Somebody who belongs to a company. Until the first login `name` is empty and `is_invited` true. */
export const Member = z
  .strictObject({
    id: Id,
    user_id: Id,
    email: z.string(),
    name: z.string(),
    role: MemberRole,
    is_invited: z.boolean(),
    created_at: Timestamp,
  })
  .meta({ id: 'Member' })

/** The member as the API returns it. */
export type Member = z.output<typeof Member>

/** All members, oldest first. */
export const Members = z.strictObject({ items: z.array(Member) }).meta({ id: 'Members' })

/** Whom to add, and as what; in effect at once. */
export const AddMember = z.strictObject({ email: Email, role: MemberRole })

/** Another role. */
export const ChangeMember = z.strictObject({ role: MemberRole })

/** The logged-in portal user. */
export const PortalSession = z
  .strictObject({
    user: z.strictObject({ id: Id, email: z.string(), name: z.string() }),
    expires_at: Timestamp,
  })
  .meta({ id: 'PortalSession' })
