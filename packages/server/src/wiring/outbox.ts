import { type OwnerNotices, ownerNotices } from '../features/members/owner-notices.ts'
import { enqueue } from '../features/outbox/enqueue.ts'
import { type Outbox, outbox } from '../features/outbox/outbox.ts'
import { outboxWorker } from '../features/outbox/outbox-worker.ts'
import { type WebhookCalls, type WebhookMessage, webhookCalls } from '../features/webhooks/webhook-calls.ts'
import { deliverNotice } from '../features/webhooks/webhook-shares.ts'
import type { Ports } from './app-ports.ts'

/** What leaves: mails and webhook calls, durably or at once. */
export type Mailroom = {
  mails: Outbox
  ownerMails: OwnerNotices
  calls: WebhookCalls
  notices: Outbox<WebhookMessage>
  start(): void
  stop(): Promise<void>
}

/** Wires the outboxes, each with a worker of its own. */
export function wireMailroom(ports: Ports, sign: (message: Uint8Array) => Uint8Array): Mailroom {
  const { sql, kms, outbound, clock, ids, log, jitter: random } = ports
  const { pepper } = ports.secrets
  const mails = outbox({ master: pepper, kind: 'mail', ids, onNudge: () => mailWorker.nudge() })
  const mailWorker = outboxWorker({
    sql,
    kind: 'mail',
    deliver: (row) => ports.mailer.send(mails.open(row)),
    log,
    random,
  })
  const calls = webhookCalls({ sql, kms, outbound, clock, ids, sign, log })
  const notices = outbox<WebhookMessage>({
    master: pepper,
    kind: 'webhook',
    ids,
    onNudge: () => webhookWorker.nudge(),
  })
  const webhookWorker = outboxWorker({
    sql,
    kind: 'webhook',
    deliver: (row) => deliverNotice(calls, notices.open(row)),
    log,
    random,
  })
  return {
    mails,
    ownerMails: ownerNotices({ outbox: mails, queueMail: (tx, row) => enqueue(tx, 'mail', row) }),
    calls,
    notices,
    start() {
      mailWorker.start()
      webhookWorker.start()
    },
    async stop() {
      await Promise.all([mailWorker.stop(), webhookWorker.stop()])
    },
  }
}
