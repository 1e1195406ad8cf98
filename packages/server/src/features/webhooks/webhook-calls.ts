import type { Sql } from '../../db/pool.ts'
import type { Clock, Ids } from '../../ports/clock.ts'
import type { Kms } from '../../ports/kms.ts'
import type { Log } from '../../ports/log.ts'
import {
  type Outbound,
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

/** One message: `at` is when it came about (ISO 8601), `data` its documented fields without the share. */
export type WebhookMessage = {
  organizationId: string
  type: WebhookType
  at: string
  data: Readonly<Record<string, string | number>>
}

/** Why a message is not taken as delivered. */
export type WebhookErrorCode = 'not_configured' | 'refused_by_receiver' | OutboundErrorCode

/** The only error of a receiver; it holds neither its address nor what was said. `status` is what it answered. */
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

/** Calls the organization's receiver once. */
export type WebhookCalls = {
  /** Resolves with a 2xx answer; `id` stays the same when a message is sent again. Rejects with `WebhookError`. */
  send(message: WebhookMessage & { id: string }, share?: Uint8Array): Promise<OutboundAnswer>
}

/** Makes the caller of webhooks; `timeoutMs` can only shorten the guard's 15 s. */
export function webhookCalls({
  sql,
  kms,
  outbound,
  clock,
  ids,
  sign,
  log,
  timeoutMs,
}: {
  sql: Sql
  kms: Kms
  outbound: Outbound
  clock: Clock
  ids: Ids
  sign: (message: Uint8Array) => Uint8Array
  log: Log
  timeoutMs?: number
}): WebhookCalls {
  async function post(
    message: Parameters<WebhookCalls['send']>[0],
    share: Uint8Array | undefined,
  ): Promise<OutboundAnswer> {
    const { id, organizationId, type, at, data } = message
    const target = await webhooksStore.target(sql, organizationId)
    if (target === undefined) throw new WebhookError('not_configured')
    const secrets = await Promise.all(
      target.secrets.map(({ secretId, sealedSecret }) =>
        openSecret(kms, { organizationId, secretId }, sealedSecret),
      ),
    )
    const fields = share === undefined ? data : await shareFields(data, share, target.encryptionKey)
    const body = Buffer.from(JSON.stringify({ type, timestamp: at, data: fields }), 'utf8')
    const headers = signedHeaders({ id: `msg_${id}`, timeMs: clock.nowMs(), body }, { secrets, sign })
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

  /** Best effort: what the organization is shown of a call never decides over it. */
  async function note(
    { organizationId, id: messageId, type }: Parameters<WebhookCalls['send']>[0],
    { sinceMs, status, error }: { sinceMs: number; status: number | undefined; error: string | null },
  ): Promise<void> {
    const durationMs = Math.max(0, Math.round(clock.nowMs() - sinceMs))
    const call = { id: ids.next(), messageId, type, status: status ?? null, error, durationMs }
    await webhookDeliveriesStore
      .add(sql, organizationId, call)
      .catch((cause: unknown) => log.warn({ organizationId, err: cause }, 'a webhook call was not noted'))
  }

  return {
    async send(message, share) {
      const sinceMs = clock.nowMs()
      try {
        const answer = await post(message, share)
        await note(message, { sinceMs, status: answer.status, error: null })
        return answer
      } catch (error) {
        if (error instanceof WebhookError) {
          const { organizationId, type } = message
          const { code, status, cause } = error
          log.warn({ organizationId, type, code, status, err: cause }, 'a webhook call failed')
          if (code !== 'not_configured') await note(message, { sinceMs, status, error: code })
        }
        throw error
      }
    },
  }
}
