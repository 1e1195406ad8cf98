import {
  deleteWebhook,
  getWebhook,
  listWebhookDeliveries,
  putWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { MemberPrincipal } from '../../http/principal.ts'
import { mapResult } from '../../runtime/failure.ts'
import { type WebhookDelivery, webhookDeliveriesStore } from './webhook-deliveries.store.ts'
import type { WebhookRow } from './webhooks.store.ts'
import {
  pingWebhook,
  readWebhook,
  removeWebhook,
  rotateSecret,
  setWebhook,
  type WebhooksCtx,
} from './webhooks.ts'

/** The recovery webhook of an organization. */
export const webhooksRoutes = (ctx: WebhooksCtx) => [
  on(getWebhook, async ({ principal }) =>
    mapResult(await readWebhook(ctx, principal.organization.id), wireWebhook),
  ),
  on(putWebhook, async ({ principal, body }) => {
    const { url, encryption_key: encryptionKey } = body
    const input = { url, ...(encryptionKey !== undefined && { encryptionKey }) }
    return mapResult(
      await setWebhook(ctx, principal.organization.id, input, actorOf(principal)),
      ({ row, signingSecret }) => ({ ...wireWebhook(row), signing_secret: signingSecret ?? null }),
    )
  }),
  on(deleteWebhook, ({ principal }) => removeWebhook(ctx, principal.organization.id, actorOf(principal))),
  on(testWebhook, ({ principal }) => pingWebhook(ctx, principal.organization.id)),
  on(rotateWebhookSecret, async ({ principal }) =>
    mapResult(await rotateSecret(ctx, principal.organization.id, actorOf(principal)), (signing_secret) => ({
      signing_secret,
    })),
  ),
  on(listWebhookDeliveries, async ({ principal }) => ({
    items: (await webhookDeliveriesStore.latest(ctx.sql, principal.organization.id)).map(wireDelivery),
  })),
]

const actorOf = ({ user }: MemberPrincipal) => ({
  type: 'portal_user' as const,
  id: user.id,
  name: user.email,
})

const wireWebhook = ({ url, encryptionKey, createdAt, updatedAt }: WebhookRow) => ({
  url,
  encryption_key: encryptionKey,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
})

const wireDelivery = (call: WebhookDelivery & { at: Date }) => ({
  id: call.id,
  message_id: `msg_${call.messageId}`,
  type: call.type,
  at: call.at.toISOString(),
  delivered: call.error === null,
  status: call.status,
  error: call.error,
  duration_ms: call.durationMs,
})
