import type { ActorType, AuditEventType, Fail } from '@symbolon/api'
import type { Sql, Transaction } from '../../db/pool.ts'
import type { Clock, Ids } from '../../ports/clock.ts'
import type { Kms } from '../../ports/kms.ts'
import type { Random } from '../../ports/random.ts'
import type { Audit } from '../audit/audit.ts'
import { type EncryptionKey, readEncryptionKey } from './encryption-key.ts'
import { sealSecret } from './sealed-secret.ts'
import { type WebhookCalls, WebhookError } from './webhook-calls.ts'
import { mintWebhookSecret } from './webhook-secret.ts'
import { type WebhookRow, webhooksStore } from './webhooks.store.ts'

/** Who changes a setting, for the audit log. */
export type Actor = { type: ActorType; id: string }

/** What is set: the receiver's address, and the P-256 JWK that shares are sealed to. */
export type WebhookInput = { url: string; encryptionKey?: Readonly<Record<string, unknown>> }

/** How a ping went: the receiver's status, or why there was none. */
export type PingResult = { delivered: boolean; status: number | null; error: string | null }

const urlLengthMax = 2_048

/** The recovery webhook of an organization: its address, its key and its signing secret. */
export function webhooks({
  sql,
  kms,
  audit,
  random,
  ids,
  clock,
  calls,
  mayCall,
}: {
  sql: Sql
  kms: Kms
  audit: Audit
  random: Random
  ids: Ids
  clock: Clock
  calls: WebhookCalls
  /** Whether the outbound guard would let a call to this URL out. */
  mayCall: (url: string) => boolean
}) {
  const record = (
    tx: Transaction,
    type: AuditEventType,
    { organizationId, actor, change }: { organizationId: string; actor: Actor; change: string },
  ) =>
    audit.append(tx, {
      organizationId,
      type,
      actorType: actor.type,
      actorId: actor.id,
      payload: { change },
      success: true,
    })

  async function freshSecret(organizationId: string) {
    const secretId = ids.next()
    const secret = mintWebhookSecret(random)
    return { secretId, secret, sealedSecret: await sealSecret(kms, { organizationId, secretId }, secret) }
  }

  return {
    /** What is set; `not_found` without a webhook. Never the secret. */
    async get(organizationId: string, fail: Fail<'not_found'>): Promise<WebhookRow> {
      const row = await webhooksStore.get(sql, organizationId)
      if (row === undefined) throw fail('not_found')
      return row
    },

    /** Sets address and key. The signing secret is answered once, when the webhook is made; afterwards it stays what it is. */
    async put(
      organizationId: string,
      input: WebhookInput,
      actor: Actor,
      fail: Fail<'invalid_request' | 'not_found'>,
    ): Promise<{ signingSecret: string | undefined }> {
      const issue = (path: string, message: string) =>
        fail('invalid_request', { details: { issues: [{ path: [path], message }] } })
      if (input.url.length > urlLengthMax || input.url.includes('#') || !mayCall(input.url))
        throw issue('url', 'not an https URL that can be called')
      const encryptionKey = keyOf(input)
      if (encryptionKey === undefined) throw issue('encryption_key', 'not a public P-256 JWK')
      const { secret, ...stored } = await freshSecret(organizationId)
      return sql.begin(async (tx) => {
        const put = await webhooksStore.put(tx, organizationId, { url: input.url, encryptionKey, ...stored })
        if (put === undefined) throw fail('not_found')
        await record(tx, 'webhook.updated', {
          organizationId,
          actor,
          change: put.isNew ? 'created' : 'updated',
        })
        return { signingSecret: put.isNew ? secret : undefined }
      })
    },

    /** Another signing secret, answered once; the old one signs beside it for 24 h. */
    async rotateSecret(
      organizationId: string,
      actor: Actor,
      fail: Fail<'not_found'>,
    ): Promise<{ signingSecret: string }> {
      const { secret, ...stored } = await freshSecret(organizationId)
      return sql.begin(async (tx) => {
        if (!(await webhooksStore.rotate(tx, organizationId, stored))) throw fail('not_found')
        await record(tx, 'webhook.updated', { organizationId, actor, change: 'secret_rotated' })
        return { signingSecret: secret }
      })
    },

    /** Removes address, key and secrets; shares that are at the receiver cannot be fetched until it is set again. */
    async remove(organizationId: string, actor: Actor, fail: Fail<'not_found'>): Promise<void> {
      await sql.begin(async (tx) => {
        if (!(await webhooksStore.remove(tx, organizationId))) throw fail('not_found')
        await record(tx, 'webhook.removed', { organizationId, actor, change: 'removed' })
      })
    },

    /** Sends a `ping` and tells how it went. */
    async test(organizationId: string, fail: Fail<'not_found'>): Promise<PingResult> {
      const at = new Date(clock.nowMs()).toISOString()
      const data = { organization_id: organizationId }
      try {
        const { status } = await calls.send({ id: ids.next(), organizationId, type: 'ping', at, data })
        return { delivered: true, status, error: null }
      } catch (error) {
        if (!(error instanceof WebhookError)) throw error
        if (error.code === 'not_configured') throw fail('not_found')
        return { delivered: false, status: error.status ?? null, error: error.code }
      }
    },
  }
}

/** The settings of webhooks as app.ts makes them. */
export type Webhooks = ReturnType<typeof webhooks>

/** The key to keep: null for none given, undefined for an unfit one. */
function keyOf({ encryptionKey }: WebhookInput): EncryptionKey | null | undefined {
  return encryptionKey === undefined ? null : readEncryptionKey(encryptionKey)
}
