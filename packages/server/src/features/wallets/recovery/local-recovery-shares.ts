import type { Sql } from '../../../db/pool.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { Kms } from '../../../ports/kms.ts'
import { RecoveryShareError, type RecoveryShareStore } from '../../../ports/recovery-share-store.ts'
import { openShare, sealShare } from '../shares/share-envelopes.ts'
import { localSharesStore } from './local-shares.store.ts'

/**
 * Keeps the recovery shares of service-managed organizations in our own database, sealed under a key-encryption key that
 * opens no provider share. Each stored share is a new row, so an attempt never replaces the share of another.
 */
export function localRecoveryShares({
  sql,
  ids,
  kms,
}: {
  sql: Sql
  ids: Ids
  kms: Kms
}): RecoveryShareStore<{ at: 'local'; id: string }> {
  return {
    async store(ref, share) {
      const id = ids.next()
      const sealed = await sealShare(kms, 'recovery', ref, share)
      await localSharesStore.insert(sql, { ...ref, id, ...sealed })
      return { at: 'local', id }
    },

    async fetch(ref, { id }) {
      const envelope = await localSharesStore.envelopeOf(sql, ref.organizationId, id)
      if (envelope === undefined) throw new RecoveryShareError('The recovery share does not exist.')
      return openShare(kms, 'recovery', ref, envelope)
    },

    rotated: (tx, ref, { id }) => localSharesStore.rotate(tx, ref, id),

    nudge() {},
  }
}
