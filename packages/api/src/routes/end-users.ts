import * as z from 'zod'
import { EndUserPage, ListEndUsers } from '../end-user.ts'
import { Id } from '../formats.ts'
import type { Route } from '../route.ts'

/** A page of the company's end users. */
export const listEndUsers = {
  id: 'endUsers.list',
  method: 'GET',
  path: '/v1/orgs/{orgID}/users',
  lane: 'portal',
  role: 'viewer',
  summary: 'List end users, newest first',
  description: 'Every user who has logged in or for whom your backend created a wallet.',
  params: z.strictObject({ orgID: Id }),
  query: ListEndUsers,
  status: 200,
  data: EndUserPage,
  errors: [],
} as const satisfies Route
