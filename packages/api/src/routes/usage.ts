import * as z from 'zod'
import { Id } from '../formats.ts'
import type { Route } from '../route.ts'
import { Usage, UsageQuery } from '../usage.ts'

/** What the company's wallets did, per day. */
export const getUsage = {
  id: 'usage.get',
  method: 'GET',
  path: '/v1/orgs/{orgID}/usage',
  lane: 'portal',
  role: 'viewer',
  summary: 'Read the usage per day',
  description: 'Days are in UTC.',
  params: z.strictObject({ orgID: Id }),
  query: UsageQuery,
  status: 200,
  data: Usage,
  errors: [],
} as const satisfies Route
