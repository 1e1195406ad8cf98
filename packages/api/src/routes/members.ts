import * as z from 'zod'
import { Id } from '../formats.ts'
import { AddMember, ChangeMember, Member, Members } from '../member.ts'
import type { Route } from '../route.ts'

const OrgParams = z.strictObject({ orgID: Id })
const MemberParams = z.strictObject({ orgID: Id, memberID: Id })

/** Everybody who belongs to the company. */
export const listMembers = {
  id: 'members.list',
  method: 'GET',
  path: '/v1/orgs/{orgID}/members',
  lane: 'portal',
  role: 'viewer',
  summary: 'List members',
  params: OrgParams,
  status: 200,
  data: Members,
  errors: [],
} as const satisfies Route

/** Adds somebody by email address. */
export const addMember = {
  id: 'members.add',
  method: 'POST',
  path: '/v1/orgs/{orgID}/members',
  lane: 'portal',
  role: 'admin',
  summary: 'Add a member',
  description:
    'Takes effect at once and emails an invitation. Adding a member again returns the membership; with another role it returns 400: use PATCH. Admins cannot add owners.',
  params: OrgParams,
  body: AddMember,
  status: 201,
  data: Member,
  errors: [],
  limit: 'invitation',
} as const satisfies Route

/** Gives a member another role. */
export const changeMember = {
  id: 'members.change',
  method: 'PATCH',
  path: '/v1/orgs/{orgID}/members/{memberID}',
  lane: 'portal',
  role: 'admin',
  summary: "Change a member's role",
  description:
    'Admins can neither promote to owner nor change owners. The last owner stays an owner. Owners are notified by email when somebody becomes an owner or admin, or no longer is one.',
  params: MemberParams,
  body: ChangeMember,
  status: 200,
  data: Member,
  errors: ['last_owner'],
} as const satisfies Route

/** Removes a member, or oneself. */
export const removeMember = {
  id: 'members.remove',
  method: 'DELETE',
  path: '/v1/orgs/{orgID}/members/{memberID}',
  lane: 'portal',
  role: 'viewer',
  summary: 'Remove a member, or leave',
  description:
    'Any member may leave. Admins remove members, owners remove owners. The last owner cannot leave.',
  params: MemberParams,
  status: 204,
  errors: ['last_owner', 'forbidden'],
} as const satisfies Route
