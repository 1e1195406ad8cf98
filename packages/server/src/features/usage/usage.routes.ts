import { getUsage } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { UsageOf } from './usage.ts'

/** What a company's wallets did, per day. */
export const usageRoutes = (usage: UsageOf) => [
  on(getUsage, ({ principal, query, fail }) => usage.of(principal.organization.id, query, fail)),
]
