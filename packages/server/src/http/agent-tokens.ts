import { limits } from '@symbolon/api'
import { coalesce } from '../db/coalesce.ts'
import type { Queryable } from '../db/pool.ts'
import { lruMap } from '../runtime/lru-map.ts'
import { type AdmittedSession, agentTokensStore } from './agent-tokens.store.ts'
import { type RateGrant, rateGrant } from './limiter.ts'
import type { Organization } from './principal.ts'

/** The session behind a token, its organization, and what the token's bucket said to this one request. */
export type AdmittedAgent = {
  session: Pick<AdmittedSession, 'id' | 'agentId' | 'walletId' | 'state' | 'nowMs'>
  organization: Organization
  grant: RateGrant
}

const organizationsMax = 10_000

/**
 * Finds agent sessions by the hash of their token and takes a grant for each request, in one statement for all that ask at the
 * same moment; undefined for unknown tokens. The state is the database's of this moment; organizations are remembered under the stamp of
 * their row, which the database says every time.
 */
export function agentTokens(sql: Queryable): (tokenHash: string) => Promise<AdmittedAgent | undefined> {
  const remembered = lruMap<string, { stamp: string; organization: Organization }>(organizationsMax)

  async function organizationsOf(sessions: Iterable<AdmittedSession>): Promise<Map<string, Organization>> {
    const found = new Map<string, Organization>()
    const unknown = new Set<string>()
    for (const { organizationId, stamp } of sessions) {
      const known = remembered.get(organizationId)
      if (known?.stamp === stamp) found.set(organizationId, known.organization)
      else unknown.add(organizationId)
    }
    if (unknown.size === 0) return found
    for (const { stamp, ...organization } of await agentTokensStore.organizations(sql, [...unknown])) {
      remembered.set(organization.id, { stamp, organization })
      found.set(organization.id, organization)
    }
    return found
  }

  return coalesce<string, AdmittedAgent | undefined>({
    batchMax: 1_000,
    inFlightMax: 1,
    async run(hashes) {
      const counts = new Map<string, number>()
      for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1)
      const asked = [...counts].map(([tokenHash, count]) => ({ tokenHash, count }))
      const sessions = await agentTokensStore.admit(sql, asked)
      const organizations = await organizationsOf(sessions.values())
      return hashes.map((hash) => {
        const session = sessions.get(hash)
        const organization = session && organizations.get(session.organizationId)
        if (session === undefined || organization === undefined) return undefined
        const { id, agentId, walletId, state, nowMs, grants } = session
        return {
          session: { id, agentId, walletId, state, nowMs },
          organization,
          grant: rateGrant(grants, limits.agent.burst),
        }
      })
    },
  })
}
