import { limits } from '@symbolon/api'
import { coalesce } from '../../db/coalesce.ts'
import type { Queryable } from '../../db/pool.ts'
import { type RateGrant, rateGrant } from '../limiter.ts'
import { apiKeysStore, type KeyRecord } from './api-keys.store.ts'
import { countHashes, stampedCache } from './stamped-cache.ts'

/** A living secret key, and what its rate limit answered this one request. */
export type FoundKey = { record: KeyRecord; grant: RateGrant }

/**
 * Finds secret keys by the hex of their hash and counts each request against the key's rate limit, in one statement for all requests of
 * one moment. Keys are cached under their stamp.
 */
export function findSecretKey(sql: Queryable): (keyHash: string) => Promise<FoundKey | undefined> {
  const recordsOf = stampedCache((hashes) => apiKeysStore.findSecret(sql, hashes))
  return coalesce<string, FoundKey | undefined>({
    batchMax: 1_000,
    inFlightMax: 1,
    async run(hashes) {
      const grants = await apiKeysStore.countSecret(sql, countHashes(hashes))
      const records = await recordsOf([...grants].map(([hash, { stamp }]) => [hash, stamp] as const))
      return hashes.map((hash) => {
        const row = grants.get(hash)
        const record = records.get(hash)
        return row && record && { record, grant: rateGrant(row, limits.s2s.burst) }
      })
    },
  })
}
