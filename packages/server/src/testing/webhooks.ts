/** The outbox and webhooks from inside. */

export { outbox } from '../features/outbox/outbox.ts'
export { type OutboxWorker, outboxWorker } from '../features/outbox/outbox-worker.ts'
export { signedHeaders } from '../features/webhooks/signed-headers.ts'
export type { WebhookMessage } from '../features/webhooks/webhook-calls.ts'
export { deliverNotice, webhookShares } from '../features/webhooks/webhook-shares.ts'
export {
  pingWebhook,
  readWebhook,
  removeWebhook,
  rotateSecret,
  setWebhook,
  type WebhooksCtx,
} from '../features/webhooks/webhooks.ts'
export { orThrow } from '../runtime/failure.ts'
