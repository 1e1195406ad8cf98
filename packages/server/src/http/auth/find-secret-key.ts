import { limits } from '@symbolon/api'
import { coalesce } from '../../db/coalesce.ts'
import type { Queryable } from '../../db/pool.ts'
import { cappedWeight, countUnits, type RateGrant, rateGrant } from '../limiter.ts'
import { apiKeysStore, type KeyRecord } from './api-keys.store.ts'
import { stampedCache } from './stamped-cache.ts'

type Asked = { hash: string; weight: number }

/** A living secret key, and what its rate limit answered this one request. */
export type FoundKey = { record: KeyRecord; grant: RateGrant }

/**
 * Finds secret keys by the hex of their hash and counts each request with its weight against the key's rate limit, in one statement for all requests of
 * one moment. Keys are cached under their stamp.
 */
export function findSecretKey(sql: Queryable): (asked: Asked) => Promise<FoundKey | undefined> {
  const recordsOf = stampedCache((hashes) => apiKeysStore.findSecret(sql, hashes))
  return coalesce<Asked, FoundKey | undefined>({
    batchMax: 1_000,
    inFlightMax: 4,
    laneOf: ({ hash }) => hash,
    async run(asked) {
      const counted = countUnits(
        asked.map(({ hash, weight }) => ({ key: hash, weight: cappedWeight(limits.s2s, weight) })),
      )
      const grants = await apiKeysStore.countSecret(sql, counted)
      const records = await recordsOf([...grants].map(([hash, { stamp }]) => [hash, stamp] as const))
      return asked.map(({ hash, weight }) => {
        const row = grants.get(hash)
        const record = records.get(hash)
        return row && record && { record, grant: rateGrant(row, limits.s2s, weight) }
      })
    },
  })
}
