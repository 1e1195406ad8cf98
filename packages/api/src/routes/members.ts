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

/** Adds somebody by mail address. */
export const addMember = {
  id: 'members.add',
  method: 'POST',
  path: '/v1/orgs/{orgID}/members',
  lane: 'portal',
  role: 'admin',
  summary: 'Add a member',
  description:
    'In effect at once; an invitation is mailed. Adding a member again answers the membership, with another role 400: PATCH changes it. Admins cannot make owners.',
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
  description: 'Admins can neither make nor change owners; the last owner stays one.',
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
  description: 'Everybody may leave; others are removed by admins, owners by owners. The last owner stays.',
  params: MemberParams,
  status: 204,
  errors: ['last_owner', 'forbidden'],
} as const satisfies Route
