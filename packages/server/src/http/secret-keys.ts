import { limits } from '@symbolon/api'
import { coalesce } from '../db/coalesce.ts'
import type { Queryable } from '../db/pool.ts'
import { lruMap } from '../runtime/lru-map.ts'
import { credentialsStore, type KeyRecord } from './credentials.store.ts'
import { type RateGrant, rateGrant } from './limiter.ts'

/** A living secret key and what its bucket said to this one request. */
export type AdmittedKey = { record: KeyRecord; grant: RateGrant }

const recordsMax = 10_000

/**
 * Finds secret keys by hash and takes a grant for each request, in one statement for all that ask at the same moment.
 * A key's row is remembered under its stamp and the database says the stamp every time: what is revoked, has expired or
 * was changed is seen by the next request of every process.
 */
export function secretKeys(sql: Queryable): (keyHash: string) => Promise<AdmittedKey | undefined> {
  const remembered = lruMap<string, KeyRecord & { stamp: string }>(recordsMax)

  async function recordsOf(stamps: Map<string, { stamp: string }>): Promise<Map<string, KeyRecord>> {
    const records = new Map<string, KeyRecord>()
    const unknown: string[] = []
    for (const [hash, { stamp }] of stamps) {
      const known = remembered.get(hash)
      if (known?.stamp === stamp) records.set(hash, known)
      else unknown.push(hash)
    }
    if (unknown.length === 0) return records
    for (const [hash, record] of await credentialsStore.secret(sql, unknown)) {
      remembered.set(hash, record)
      records.set(hash, record)
    }
    return records
  }

  return coalesce<string, AdmittedKey | undefined>({
    batchMax: 1_000,
    inFlightMax: 1,
    async run(hashes) {
      const counts = new Map<string, number>()
      for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1)
      const asked = [...counts].map(([keyHash, count]) => ({ keyHash, count }))
      const grants = await credentialsStore.admitSecret(sql, asked)
      const records = await recordsOf(grants)
      return hashes.map((hash) => {
        const granted = grants.get(hash)
        const record = records.get(hash)
        return granted && record && { record, grant: rateGrant(granted, limits.s2s.burst) }
      })
    },
  })
}
