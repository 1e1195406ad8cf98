import type { Clock, Ids } from '../../ports/clock.ts'
import {
  RecoveryShareError,
  type RecoveryShareRef,
  type RecoveryShareStore,
} from '../../ports/recovery-share-store.ts'
import type { Outbox } from '../outbox/index.ts'
import { readShareAnswer } from './share-answer.ts'
import { refFields } from './share-fields.ts'
import { type WebhookCalls, WebhookError, type WebhookMessage } from './webhook-calls.ts'
import type { WebhookType } from './webhook-type.ts'
import { webhooksStore } from './webhooks.store.ts'

/** Keeps recovery shares at the organization's own receiver (customer-managed recovery). */
export function webhookShares({
  calls,
  notices,
  ids,
  clock,
}: {
  calls: WebhookCalls
  notices: Outbox<WebhookMessage>
  ids: Ids
  clock: Clock
}): RecoveryShareStore<{ at: 'webhook' }> {
  const message = (type: WebhookType, ref: RecoveryShareRef): WebhookMessage => ({
    organizationId: ref.organizationId,
    type,
    at: new Date(clock.nowMs()).toISOString(),
    data: refFields(ref),
  })
  const send = async (type: WebhookType, ref: RecoveryShareRef, share?: Uint8Array) => {
    try {
      return await calls.send({ ...message(type, ref), id: ids.next() }, share)
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      throw new RecoveryShareError('The recovery webhook failed.', {
        cause: error,
        mayStillArrive: isOutcomeOpen(error),
      })
    }
  }

  return {
    async store(ref, share) {
      await send('recovery_share.store', ref, share)
      return { at: 'webhook' }
    },
    async fetch(ref) {
      const share = readShareAnswer(await send('recovery_share.fetch', ref), ref)
      if (share === undefined)
        throw new RecoveryShareError('The recovery webhook answered with another share, or none.')
      return share
    },
    async rotated(tx, ref) {
      await webhooksStore.insertNotice(tx, notices.seal(message('recovery_share.rotated', ref)))
    },
    nudge: notices.nudge,
  }
}

/** What the receiver itself refused, and a connection that was never made, leave nothing under way; a gateway may. */
function isOutcomeOpen({ code, status = 0, cause }: WebhookError): boolean {
  if (code === 'timed_out' || status === 408 || status >= 500) return true
  return (
    code === 'unreachable' && !(cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED')
  )
}

/** Sends a message that waited in the outbox. What nobody is there to hear any more counts as sent. */
export async function deliverNotice(
  calls: WebhookCalls,
  notice: WebhookMessage & { id: string },
): Promise<void> {
  try {
    await calls.send(notice)
  } catch (error) {
    if (error instanceof WebhookError && error.code === 'not_configured') return
    throw error
  }
}
