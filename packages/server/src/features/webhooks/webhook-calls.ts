import type { Sql } from '../../db/pool.ts'
import type { Clock, Ids } from '../../ports/clock.ts'
import type { Kms } from '../../ports/kms.ts'
import type { Log } from '../../ports/log.ts'
import {
  type GuardedOutbound,
  type OutboundAnswer,
  OutboundError,
  type OutboundErrorCode,
} from '../../ports/outbound.ts'
import { openSecret } from './sealed-secret.ts'
import { shareFields } from './share-fields.ts'
import { signedHeaders } from './signed-headers.ts'
import { webhookDeliveriesStore } from './webhook-deliveries.store.ts'
import type { WebhookType } from './webhook-type.ts'
import { webhooksStore } from './webhooks.store.ts'

/** A message to a receiver: `at` is when its cause happened (ISO 8601), `data` its documented fields without the share. */
export type WebhookMessage = {
  organizationId: string
  type: WebhookType
  at: string
  data: Readonly<Record<string, string | number>>
}

/** Why a message counts as not delivered. */
type WebhookErrorCode = 'not_configured' | 'refused_by_receiver' | OutboundErrorCode

/** The only error of a call; it holds neither the receiver's address nor the message. `status` is what the receiver answered. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: WebhookErrorCode
  readonly status: number | undefined

  constructor(code: WebhookErrorCode, options: { status?: number; cause?: unknown } = {}) {
    super(`The webhook call failed: ${code}.`, { cause: options.cause })
    this.code = code
    this.status = options.status
  }
}

/** The context for calling receivers. `timeoutMs` can only shorten the 15 s of guarded calls. */
export type WebhookCallsCtx = {
  sql: Sql
  kms: Kms
  clock: Clock
  ids: Ids
  log: Log
  sender: { outbound: GuardedOutbound; sign: (message: Uint8Array) => Uint8Array; timeoutMs?: number }
}

/** A message under its id, which stays the same when the message is sent again. */
export type IdentifiedMessage = WebhookMessage & { id: string }

/** Calls the organization's receiver once, with a share or without. Resolves with a 2xx answer, rejects with `WebhookError`. */
export async function callWebhook(
  ctx: WebhookCallsCtx,
  message: IdentifiedMessage,
  share?: Uint8Array,
): Promise<OutboundAnswer> {
  const sinceMs = ctx.clock.nowMs()
  try {
    const answer = await post(ctx, message, share)
    await recordDelivery(ctx, message, { sinceMs, status: answer.status, error: null })
    return answer
  } catch (error) {
    if (error instanceof WebhookError) {
      const { organizationId, type } = message
      const { code, status, cause } = error
      ctx.log.warn({ organizationId, type, code, status, err: cause }, 'a webhook call failed')
      if (code !== 'not_configured') await recordDelivery(ctx, message, { sinceMs, status, error: code })
    }
    throw error
  }
}

async function post(
  ctx: WebhookCallsCtx,
  message: IdentifiedMessage,
  share: Uint8Array | undefined,
): Promise<OutboundAnswer> {
  const { id, organizationId, type, at, data } = message
  const { outbound, sign, timeoutMs } = ctx.sender
  const target = await webhooksStore.target(ctx.sql, organizationId)
  if (target === undefined) throw new WebhookError('not_configured')
  const secrets = await Promise.all(
    target.secrets.map(({ secretId, sealedSecret }) =>
      openSecret(ctx.kms, { organizationId, secretId }, sealedSecret),
    ),
  )
  const fields = share === undefined ? data : await shareFields(data, share, target.encryptionKey)
  const body = Buffer.from(JSON.stringify({ type, timestamp: at, data: fields }), 'utf8')
  const headers = signedHeaders({ id: `msg_${id}`, timeMs: ctx.clock.nowMs(), body }, { secrets, sign })
  const answer = await outbound({
    url: target.url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    ...(timeoutMs !== undefined && { timeoutMs }),
  }).catch((cause: unknown) => {
    throw cause instanceof OutboundError ? new WebhookError(cause.code, { cause: cause.cause }) : cause
  })
  const { status } = answer
  if (status < 200 || status >= 300) throw new WebhookError('refused_by_receiver', { status })
  return answer
}

/** Adds a call to the log that the organization sees. Best effort: a failure here never changes the call's outcome. */
async function recordDelivery(
  { sql, clock, ids, log }: WebhookCallsCtx,
  { organizationId, id: messageId, type }: IdentifiedMessage,
  { sinceMs, status, error }: { sinceMs: number; status: number | undefined; error: string | null },
): Promise<void> {
  const durationMs = Math.max(0, Math.round(clock.nowMs() - sinceMs))
  const call = { id: ids.next(), messageId, type, status: status ?? null, error, durationMs }
  await sql
    .alone((tx) => webhookDeliveriesStore.add(tx, organizationId, call))
    .catch((cause: unknown) =>
      log.warn({ organizationId, err: cause }, 'a webhook call could not be recorded'),
    )
}
