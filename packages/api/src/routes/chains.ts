import * as z from 'zod'
import { Chains } from '../chain.ts'
import { Id } from '../formats.ts'
import type { Route } from '../route.ts'

/** The chain handles. */
export const listChains = {
  id: 'chains.list',
  method: 'GET',
  path: '/v1/chains',
  lane: 'publishable_or_secret',
  summary: 'List the chains',
  status: 200,
  data: Chains,
  errors: [],
} as const satisfies Route

/** The same list for the portal. */
export const listOrganizationChains = {
  id: 'orgs.listChains',
  method: 'GET',
  path: '/v1/orgs/{orgID}/chains',
  lane: 'portal',
  role: 'viewer',
  summary: 'List the chains, and which of them this installation can reach',
  params: z.strictObject({ orgID: Id }),
  status: 200,
  data: Chains,
  errors: [],
} as const satisfies Route
