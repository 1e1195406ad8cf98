import { limits } from '@symbolon/api'
import { coalesce } from '../../db/coalesce.ts'
import type { Queryable } from '../../db/pool.ts'
import { cappedWeight, countUnits, type RateGrant, rateGrant } from '../limiter.ts'
import type { AgentSessionPrincipal, Organization } from '../principal.ts'
import { agentSessionsStore } from './agent-sessions.store.ts'
import { stampedCache } from './stamped-cache.ts'

/** The session behind a token, its organization, and the state of the token's rate limit after this request. */
export type FoundSession = {
  session: Omit<AgentSessionPrincipal, 'tokenKey'>
  organization: Organization
  grant: RateGrant
}

type Asked = { hash: string; weight: number }

/**
 * Finds agent sessions by the hex of their token's hash and counts each request with its weight against the token's rate limit, in one statement for
 * all requests of one moment. The session's state is current; organizations are cached under their stamp.
 */
export function findAgentSession(sql: Queryable): (asked: Asked) => Promise<FoundSession | undefined> {
  const organizationsOf = stampedCache((ids) => agentSessionsStore.organizations(sql, ids))
  return coalesce<Asked, FoundSession | undefined>({
    batchMax: 1_000,
    inFlightMax: 1,
    async run(asked) {
      const counted = countUnits(
        asked.map(({ hash, weight }) => ({ key: hash, weight: cappedWeight(limits.agent, weight) })),
      )
      const sessions = await agentSessionsStore.find(sql, counted)
      const organizations = await organizationsOf(
        [...sessions.values()].map(({ organizationId, stamp }) => [organizationId, stamp] as const),
      )
      return asked.map(({ hash, weight }) => {
        const found = sessions.get(hash)
        const organization = found && organizations.get(found.organizationId)?.organization
        if (found === undefined || organization === undefined) return undefined
        return { session: found.session, organization, grant: rateGrant(found.grants, limits.agent, weight) }
      })
    },
  })
}
