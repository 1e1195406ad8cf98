import type { ActorType, AuditEventType, Fail } from '@symbolon/api'
import type { Sql, Transaction } from '../../db/pool.ts'
import type { Clock, Ids } from '../../ports/clock.ts'
import type { Kms } from '../../ports/kms.ts'
import type { Random } from '../../ports/random.ts'
import type { Audit } from '../audit/index.ts'
import type { OwnerNotices } from '../members/index.ts'
import { type EncryptionKey, readEncryptionKey } from './encryption-key.ts'
import { sealSecret } from './sealed-secret.ts'
import { type WebhookCalls, WebhookError } from './webhook-calls.ts'
import { type WebhookDelivery, webhookDeliveriesStore } from './webhook-deliveries.store.ts'
import { mintWebhookSecret } from './webhook-secret.ts'
import { type WebhookRow, webhooksStore } from './webhooks.store.ts'

/** Who changes a setting, for the audit log, and what the owners know them by. */
export type Actor = { type: ActorType; id: string; name?: string }

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
  notices,
  random,
  ids,
  clock,
  calls,
  mayCall,
}: {
  sql: Sql
  kms: Kms
  audit: Audit
  notices: OwnerNotices
  random: Random
  ids: Ids
  clock: Clock
  calls: WebhookCalls
  /** Whether the outbound guard would let a call to this URL out. */
  mayCall: (url: string) => boolean
}) {
  /** Tells the log and the owners of a change, with it. */
  async function record(
    tx: Transaction,
    type: Extract<AuditEventType, 'webhook.updated' | 'webhook.removed'>,
    {
      organizationId,
      actor,
      ...payload
    }: { organizationId: string; actor: Actor; change: string; before?: object; after?: object },
  ): Promise<void> {
    const by = { actorType: actor.type, actorId: actor.id }
    await audit.append(tx, { organizationId, type, ...by, payload, success: true })
    const changed = `the recovery webhook was ${payload.change.replace('secret_rotated', 'given another secret')}`
    await notices.queue(tx, organizationId, { changed, by: actor.name ?? actor.type })
  }

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
    ): Promise<{ row: WebhookRow; signingSecret: string | undefined }> {
      const issue = (path: string, message: string) =>
        fail('invalid_request', { details: { issues: [{ path: [path], message }] } })
      if (input.url.length > urlLengthMax || input.url.includes('#') || !mayCall(input.url))
        throw issue('url', 'not an https URL that can be called')
      const encryptionKey = keyOf(input)
      if (encryptionKey === undefined) throw issue('encryption_key', 'not a public P-256 JWK')
      const { secret, ...stored } = await freshSecret(organizationId)
      const done = await sql.begin(async (tx) => {
        const before = await webhooksStore.lock(tx, organizationId)
        const put = await webhooksStore.put(tx, organizationId, { url: input.url, encryptionKey, ...stored })
        if (put === undefined) throw fail('not_found')
        const { isNew, row } = put
        const said = { ...(before && { before: described(before) }), after: described(row) }
        const change = isNew ? 'created' : 'updated'
        await record(tx, 'webhook.updated', { organizationId, actor, change, ...said })
        return { row, signingSecret: isNew ? secret : undefined }
      })
      notices.nudge()
      return done
    },

    /** Another signing secret, answered once; the old one signs beside it for 24 h. */
    async rotateSecret(
      organizationId: string,
      actor: Actor,
      fail: Fail<'not_found'>,
    ): Promise<{ signingSecret: string }> {
      const { secret, ...stored } = await freshSecret(organizationId)
      await sql.begin(async (tx) => {
        if (!(await webhooksStore.rotate(tx, organizationId, stored))) throw fail('not_found')
        await record(tx, 'webhook.updated', { organizationId, actor, change: 'secret_rotated' })
      })
      notices.nudge()
      return { signingSecret: secret }
    },

    /** Removes address, key and secrets; shares that are at the receiver cannot be fetched until it is set again. */
    async remove(organizationId: string, actor: Actor, fail: Fail<'not_found'>): Promise<void> {
      await sql.begin(async (tx) => {
        const before = await webhooksStore.lock(tx, organizationId)
        if (before === undefined || !(await webhooksStore.remove(tx, organizationId))) throw fail('not_found')
        const said = { before: described(before) }
        await record(tx, 'webhook.removed', { organizationId, actor, change: 'removed', ...said })
      })
      notices.nudge()
    },

    /** How the latest calls went, newest first. */
    deliveries: (organizationId: string): Promise<(WebhookDelivery & { at: Date })[]> =>
      webhookDeliveriesStore.latest(sql, organizationId),

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

/** What the log says of a webhook: a path or a query may hold what only its owner should know. */
const described = ({ url, encryptionKey }: Pick<WebhookRow, 'url' | 'encryptionKey'>) => ({
  origin: new URL(url).origin,
  has_encryption_key: encryptionKey !== null,
})

/** The key to keep: null for none given, undefined for an unfit one. */
function keyOf({ encryptionKey }: WebhookInput): EncryptionKey | null | undefined {
  return encryptionKey === undefined ? null : readEncryptionKey(encryptionKey)
}
