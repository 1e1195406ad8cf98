import type { RecoveryShareStore } from '../../../ports/recovery-share-store.ts'

/** Joins both stores: writes follow the organization's recovery mode, reads go where the share is. */
export function recoveryShares({
  modeOf,
  local,
  webhook,
}: {
  modeOf: (organizationId: string) => Promise<'service_managed' | 'customer_managed'>
  local: RecoveryShareStore<{ at: 'local'; id: string }>
  webhook: RecoveryShareStore<{ at: 'webhook' }>
}): RecoveryShareStore {
  return {
    store: async (ref, share) =>
      (await modeOf(ref.organizationId)) === 'customer_managed'
        ? webhook.store(ref, share)
        : local.store(ref, share),
    fetch: (ref, place) => (place.at === 'local' ? local.fetch(ref, place) : webhook.fetch(ref, place)),
    rotated: (tx, ref, place) =>
      place.at === 'local' ? local.rotated(tx, ref, place) : webhook.rotated(tx, ref, place),
    nudge() {
      local.nudge()
      webhook.nudge()
    },
  }
}
