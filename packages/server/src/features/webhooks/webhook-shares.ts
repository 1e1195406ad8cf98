import {
  RecoveryShareError,
  type RecoveryShareRef,
  type RecoveryShareStore,
} from '../../ports/recovery-share-store.ts'
import { enqueue, type Outbox } from '../outbox/index.ts'
import { readShareAnswer } from './share-answer.ts'
import { refFields } from './share-fields.ts'
import {
  callWebhook,
  type IdentifiedMessage,
  type WebhookCallsCtx,
  WebhookError,
  type WebhookMessage,
} from './webhook-calls.ts'
import type { WebhookType } from './webhook-type.ts'

/** Keeps recovery shares at the organization's own receiver (customer-managed recovery). */
export function webhookShares({
  calls,
  notices,
}: {
  calls: WebhookCallsCtx
  notices: Outbox<WebhookMessage>
}): RecoveryShareStore<{ at: 'webhook' }> {
  const message = (type: WebhookType, ref: RecoveryShareRef): WebhookMessage => ({
    organizationId: ref.organizationId,
    type,
    at: new Date(calls.clock.nowMs()).toISOString(),
    data: refFields(ref),
  })
  const send = async (type: WebhookType, ref: RecoveryShareRef, share?: Uint8Array) => {
    try {
      return await callWebhook(calls, { ...message(type, ref), id: calls.ids.next() }, share)
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
        throw new RecoveryShareError('The recovery webhook returned another share, or none.')
      return share
    },
    async rotated(tx, ref) {
      await enqueue(tx, 'webhook', notices.seal(message('recovery_share.rotated', ref)), ref.organizationId)
    },
    nudge: notices.nudge,
  }
}

/** Whether the message may still arrive: not after the receiver itself refused, or without a connection; a gateway may deliver late. */
function isOutcomeOpen({ code, status = 0, cause }: WebhookError): boolean {
  if (code === 'timed_out' || status === 408 || status >= 500) return true
  return (
    code === 'unreachable' && !(cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED')
  )
}

/** Sends a message that waited in the outbox. It counts as sent when the organization no longer has a webhook. */
export async function deliverNotice(calls: WebhookCallsCtx, notice: IdentifiedMessage): Promise<void> {
  try {
    await callWebhook(calls, notice)
  } catch (error) {
    if (error instanceof WebhookError && error.code === 'not_configured') return
    throw error
  }
}
