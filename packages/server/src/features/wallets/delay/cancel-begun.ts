import type { Audit } from '../../audit/index.ts'
import type { CancelBegun } from '../../devices/index.ts'
import { canceledEvent } from './canceled-event.ts'
import { delayStore } from './delay.store.ts'

/** Cancels the recoveries, exports and imports that a forgotten device has begun, as the links in their own emails do. */
export const cancelBegun =
  (audit: Audit): CancelBegun =>
  async (tx, forgotten) => {
    for (const place of ['recovery', 'transfer'] as const)
      for (const canceled of await delayStore.cancelOfForgotten(tx, place, forgotten))
        await audit.append(tx, canceledEvent(forgotten.organizationId, canceled))
  }
