import {
  deleteWebhook,
  getWebhook,
  listWebhookDeliveries,
  putWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '@symbolon/api'
import type { MemberCaller } from '../../http/caller.ts'
import { on } from '../../http/handler.ts'
import type { WebhookRow } from './webhooks.store.ts'
import type { Webhooks } from './webhooks.ts'

/** The recovery webhook of a company. */
export function webhooksRoutes(webhooks: Webhooks) {
  const actorOf = ({ user }: MemberCaller) => ({
    type: 'portal_user' as const,
    id: user.id,
    name: user.email,
  })

  return [
    on(getWebhook, async ({ caller, fail }) => wireWebhook(await webhooks.get(caller.organization.id, fail))),
    on(putWebhook, async ({ caller, body, fail }) => {
      const input = {
        url: body.url,
        ...(body.encryption_key !== undefined && { encryptionKey: body.encryption_key }),
      }
      const { row, signingSecret } = await webhooks.put(caller.organization.id, input, actorOf(caller), fail)
      return { ...wireWebhook(row), signing_secret: signingSecret ?? null }
    }),
    on(deleteWebhook, async ({ caller, fail }) => {
      await webhooks.remove(caller.organization.id, actorOf(caller), fail)
    }),
    on(testWebhook, ({ caller, fail }) => webhooks.test(caller.organization.id, fail)),
    on(rotateWebhookSecret, async ({ caller, fail }) => {
      const { signingSecret } = await webhooks.rotateSecret(caller.organization.id, actorOf(caller), fail)
      return { signing_secret: signingSecret }
    }),
    on(listWebhookDeliveries, async ({ caller }) => {
      const calls = await webhooks.deliveries(caller.organization.id)
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
