import { type OwnerNotices, ownerNotices } from '../features/members/owner-notices.ts'
import { type Outbox, outbox } from '../features/outbox/outbox.ts'
import { outboxWorker } from '../features/outbox/outbox-worker.ts'
import type { WebhookCallsCtx, WebhookMessage } from '../features/webhooks/webhook-calls.ts'
import { deliverNotice } from '../features/webhooks/webhook-shares.ts'
import { wokenPeriodMs } from '../runtime/poller.ts'
import type { Ports } from './app-ports.ts'

/** The outboxes, each with its own worker, and what sends through them. */
export type Outboxes = {
  mails: Outbox
  ownerNotices: OwnerNotices
  calls: WebhookCallsCtx
  notices: Outbox<WebhookMessage>
  start(): void
  /** Looks at once for what has become due. */
  nudge(): void
  stop(): Promise<void>
}

/** Builds the outboxes. `sign` signs webhook calls; `processId` holds the leases. */
export function wireOutboxes(
  ports: Ports,
  sign: (message: Uint8Array) => Uint8Array,
  processId: string,
): Outboxes {
  const { sql, kms, outbound, clock, ids, log, jitter: random } = ports
  const { pepper } = ports.secrets
  const mails = outbox({ master: pepper, kind: 'mail', ids, onNudge: () => mailWorker.nudge() })
  const mailWorker = outboxWorker(
    {
      sql,
      kind: 'mail',
      deliver: (row) => ports.mailer.send(mails.open(row)),
      log,
      random,
    },
    processId,
    wokenPeriodMs,
  )
  const calls = { sql, kms, clock, ids, log, sender: { outbound, sign } }
  const notices = outbox<WebhookMessage>({
    master: pepper,
    kind: 'webhook',
    ids,
    onNudge: () => webhookWorker.nudge(),
  })
  const webhookWorker = outboxWorker(
    {
      sql,
      kind: 'webhook',
      deliver: (row) => deliverNotice(calls, notices.open(row)),
      log,
      random,
    },
    processId,
    wokenPeriodMs,
  )
  return {
    mails,
    ownerNotices: ownerNotices(mails),
    calls,
    notices,
    nudge() {
      mailWorker.nudge()
      webhookWorker.nudge()
    },
    start() {
      mailWorker.start()
      webhookWorker.start()
    },
    async stop() {
      await Promise.all([mailWorker.stop(), webhookWorker.stop()])
    },
  }
}
