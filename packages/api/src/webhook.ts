import * as z from 'zod'
import { Id, Timestamp, VisibleAscii } from './formats.ts'

const Jwk = z.record(z.string(), z.unknown()).meta({
  description: 'A public P-256 JWK (RFC 7517): recovery shares are sealed to it (HPKE).',
})

/** The recovery webhook of a company, without its secret. */
export const Webhook = z
  .strictObject({
    url: z.string(),
    encryption_key: Jwk.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Webhook' })

/** The webhook with its new signing secret, which is returned only here; `null` when the secret did not change. */
export const WebhookWithSecret = z
  .strictObject({
    ...Webhook.shape,
    signing_secret: z
      .string()
      .nullable()
      .meta({ description: 'Null where the webhook was there: it keeps its secret.' }),
  })
  .meta({ id: 'WebhookWithSecret' })

/** Where recovery shares are sent. */
export const PutWebhook = z.strictObject({
  url: VisibleAscii.min(1).max(2_048),
  encryption_key: Jwk.exactOptional(),
})

/** The result of a test call: the receiver's status, or why there was none. */
export const WebhookTest = z
  .strictObject({ delivered: z.boolean(), status: z.int().nullable(), error: z.string().nullable() })
  .meta({ id: 'WebhookTest' })

/** One call of the webhook. */
export const WebhookDelivery = z
  .strictObject({
    id: Id,
    message_id: z.string().meta({ description: 'The `webhook-id` that the receiver got.' }),
    type: z.string(),
    at: Timestamp,
    delivered: z.boolean(),
    status: z.int().nullable(),
    error: z.string().nullable(),
    duration_ms: z.int().min(0),
  })
  .meta({ id: 'WebhookDelivery' })

/** The latest calls, newest first. */
export const WebhookDeliveries = z
  .strictObject({ items: z.array(WebhookDelivery) })
  .meta({ id: 'WebhookDeliveries' })
