import { getUsage } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { UsageOf } from './usage.ts'

/** What a company's wallets did, per day. */
export const usageRoutes = (usage: UsageOf) => [
  on(getUsage, ({ caller, query, fail }) => usage.of(caller.organization.id, query, fail)),
]
