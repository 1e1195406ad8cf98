import type { Sql } from '../../../db/pool.ts'
import type { Ids } from '../../../ports/clock.ts'
import { RecoveryShareError, type RecoveryShareStore } from '../../../ports/recovery-share-store.ts'
import type { ShareEnvelopes } from '../shares/share-envelopes.ts'
import { localSharesStore } from './local-shares.store.ts'

/**
 * Keeps the recovery shares of service-managed organizations in our own database, sealed under a key-encryption key that
 * opens no provider share. Every storing is a row of its own: an attempt never replaces the share of another.
 */
export function localRecoveryShares({
  sql,
  ids,
  envelopes,
}: {
  sql: Sql
  ids: Ids
  envelopes: ShareEnvelopes
}): RecoveryShareStore<{ at: 'local'; id: string }> {
  return {
    async store(ref, share) {
      const id = ids.next()
      const sealed = await envelopes.seal(ref, share)
      await localSharesStore.insert(sql, { ...ref, id, ...sealed })
      return { at: 'local', id }
    },

    async fetch(ref, { id }) {
      const envelope = await localSharesStore.envelopeOf(sql, ref.organizationId, id)
      if (envelope === undefined) throw new RecoveryShareError('There is no such recovery share.')
      return envelopes.open(ref, envelope)
    },

    rotated: (tx, ref, { id }) => localSharesStore.rotate(tx, ref, id),

    nudge() {},
  }
}
