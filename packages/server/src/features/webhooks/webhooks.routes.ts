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
import type { WebhookRow } from './webhooks.store.ts'
import type { Webhooks } from './webhooks.ts'

/** The recovery webhook of a company. */
export function webhooksRoutes(webhooks: Webhooks) {
  const actorOf = ({ user }: MemberPrincipal) => ({
    type: 'portal_user' as const,
    id: user.id,
    name: user.email,
  })

  return [
    on(getWebhook, async ({ principal, fail }) =>
      wireWebhook(await webhooks.get(principal.organization.id, fail)),
    ),
    on(putWebhook, async ({ principal, body, fail }) => {
      const input = {
        url: body.url,
        ...(body.encryption_key !== undefined && { encryptionKey: body.encryption_key }),
      }
      const { row, signingSecret } = await webhooks.put(
        principal.organization.id,
        input,
        actorOf(principal),
        fail,
      )
      return { ...wireWebhook(row), signing_secret: signingSecret ?? null }
    }),
    on(deleteWebhook, async ({ principal, fail }) => {
      await webhooks.remove(principal.organization.id, actorOf(principal), fail)
    }),
    on(testWebhook, ({ principal, fail }) => webhooks.test(principal.organization.id, fail)),
    on(rotateWebhookSecret, async ({ principal, fail }) => {
      const { signingSecret } = await webhooks.rotateSecret(
        principal.organization.id,
        actorOf(principal),
        fail,
      )
      return { signing_secret: signingSecret }
    }),
    on(listWebhookDeliveries, async ({ principal }) => {
      const calls = await webhooks.deliveries(principal.organization.id)
      const items = calls.map(({ id, messageId, type, at, status, error, durationMs }) => ({
        id,
        message_id: `msg_${messageId}`,
        type,
        at: at.toISOString(),
        delivered: error === null,
        status,
        error,
        duration_ms: durationMs,
      }))
      return { items }
    }),
  ]
}

const wireWebhook = ({ url, encryptionKey, createdAt, updatedAt }: WebhookRow) => ({
  url,
  encryption_key: encryptionKey,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
})
