import type { RingState } from '@symbolon/crypto/node'
import type { Queryable, Sql } from '../../db/pool.ts'
import type { RingFault } from '../../ports/enclave.ts'
import { ringsStore } from './rings.store.ts'

/**
 * Whether an enclave with this ring may serve this database: undefined if so. The first ring that is seen over a database without TEE
 * wallets becomes the installation's, for good.
 */
export async function checkRing(sql: Queryable, found: RingState): Promise<RingFault | undefined> {
  let { ring, isUnadopted } = await ringsStore.read(sql)
  if (ring === undefined && !isUnadopted && found.ringId !== null) {
    await ringsStore.recordFirst(sql, found.ringId)
    ;({ ring, isUnadopted } = await ringsStore.read(sql))
  }
  const fault = faultOf(ring, isUnadopted, found)
  if (fault === undefined && found.ringId !== null && ring !== undefined && found.keyVersionA > 0)
    await ringsStore.recordVersions(sql, { id: found.ringId, version: found.keyVersionA })
  return fault
}

function faultOf(
  ring: { id: string; version: number } | undefined,
  isUnadopted: boolean,
  { ringId, keyVersionA }: RingState,
): RingFault | undefined {
  const fault = (reason: RingFault['reason']): RingFault => ({
    reason,
    ringId,
    expectedRingId: ring?.id ?? null,
  })
  if (isUnadopted) return fault('ring_not_adopted')
  if (ringId === null) return fault(ring === undefined ? 'ring_not_made' : 'ring_missing')
  if (ring?.id !== ringId) return fault('ring_foreign')
  return keyVersionA < ring.version ? fault('ring_version_missing') : undefined
}

/**
 * Names the ring of an installation whose TEE wallets are older than ring ids. The caller has seen that it opens them. False, and nothing
 * changed, where another ring is named.
 */
export const adoptRing = (sql: Sql, ringId: string): Promise<boolean> =>
  sql.begin((tx) => ringsStore.adopt(tx, ringId))
