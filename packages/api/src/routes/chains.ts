import { Chains } from '../chain.ts'
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
