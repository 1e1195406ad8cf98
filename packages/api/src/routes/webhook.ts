import * as z from 'zod'
import { Id } from '../formats.ts'
import type { Route } from '../route.ts'
import { PutWebhook, Webhook, WebhookDeliveries, WebhookTest, WebhookWithSecret } from '../webhook.ts'

const OrgParams = z.strictObject({ orgID: Id })
/** Longer than the 15 s that a receiver has. */
const callLimitMs = 20_000

/** The company's recovery webhook. */
export const getWebhook = {
  id: 'webhook.get',
  method: 'GET',
  path: '/v1/orgs/{orgID}/webhook',
  lane: 'portal',
  role: 'viewer',
  summary: 'Read the recovery webhook',
  params: OrgParams,
  status: 200,
  data: Webhook,
  errors: [],
} as const satisfies Route

/** Sets address and key. */
export const putWebhook = {
  id: 'webhook.put',
  method: 'PUT',
  path: '/v1/orgs/{orgID}/webhook',
  lane: 'portal',
  role: 'admin',
  summary: 'Set the recovery webhook',
  description:
    'The signing secret is shown once, when the webhook is created. Later calls change URL and key, keep the secret and answer `signing_secret: null`; if you lost it, `POST …/webhook/rotate-secret` answers a new one. Owners are notified by email.',
  params: OrgParams,
  body: PutWebhook,
  status: 200,
  data: WebhookWithSecret,
  errors: [],
  bearsCredential: true,
} as const satisfies Route

/** Removes it. */
export const deleteWebhook = {
  id: 'webhook.delete',
  method: 'DELETE',
  path: '/v1/orgs/{orgID}/webhook',
  lane: 'portal',
  role: 'admin',
  summary: 'Remove the recovery webhook',
  description: 'Shares at the receiver cannot be fetched until you set it again.',
  params: OrgParams,
  status: 204,
  errors: [],
} as const satisfies Route

/** Calls it once. */
export const testWebhook = {
  id: 'webhook.test',
  method: 'POST',
  path: '/v1/orgs/{orgID}/webhook/test',
  lane: 'portal',
  role: 'admin',
  summary: 'Send a `ping` to the recovery webhook',
  params: OrgParams,
  status: 200,
  data: WebhookTest,
  errors: [],
  answerLimitMs: callLimitMs,
  limit: 'portal-change',
} as const satisfies Route

/** Another signing secret. */
export const rotateWebhookSecret = {
  id: 'webhook.rotateSecret',
  method: 'POST',
  path: '/v1/orgs/{orgID}/webhook/rotate-secret',
  lane: 'portal',
  role: 'admin',
  summary: 'Replace the signing secret',
  description: 'For 24 hours, calls carry signatures by both secrets.',
  params: OrgParams,
  status: 200,
  data: z.strictObject({ signing_secret: z.string() }),
  errors: [],
  bearsCredential: true,
} as const satisfies Route

/** How its calls went. */
export const listWebhookDeliveries = {
  id: 'webhook.listDeliveries',
  method: 'GET',
  path: '/v1/orgs/{orgID}/webhook/deliveries',
  lane: 'portal',
  role: 'viewer',
  summary: 'List the latest calls of the recovery webhook',
  description: 'The last 100, newest first, without their content.',
  params: OrgParams,
  status: 200,
  data: WebhookDeliveries,
  errors: [],
} as const satisfies Route
