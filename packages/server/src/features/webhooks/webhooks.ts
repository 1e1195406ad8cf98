import type { ActorType, AuditEventType } from '@symbolon/api'
import type { Sql, Transaction } from '../../db/pool.ts'
import type { Random } from '../../ports/random.ts'
import { type Failure, failure, isFailure } from '../../runtime/failure.ts'
import type { Audit } from '../audit/index.ts'
import type { OwnerNotices } from '../members/index.ts'
import { type EncryptionKey, readEncryptionKey } from './encryption-key.ts'
import { sealSecret } from './sealed-secret.ts'
import { callWebhook, type WebhookCallsCtx, WebhookError } from './webhook-calls.ts'
import { mintWebhookSecret } from './webhook-secret.ts'
import { type WebhookRow, webhooksStore } from './webhooks.store.ts'

/** What the recovery webhooks of organizations are set with. */
export type WebhooksCtx = {
  sql: Sql
  audit: Audit
  notices: OwnerNotices
  random: Random
  calls: WebhookCallsCtx
}

/** The actor of a change, as the audit log and as the owners' mail name it. */
export type Actor = { type: ActorType; id: string; name?: string }

/** A setting: the receiver's address, and the P-256 JWK that shares are sealed to. */
type WebhookInput = { url: string; encryptionKey?: Readonly<Record<string, unknown>> }

/** The outcome of a ping: the receiver's status, or the reason why none came. */
type PingResult = { delivered: boolean; status: number | null; error: string | null }

const urlLengthMax = 2_048

/** The webhook of an organization, without its secret. */
export async function readWebhook(
  { sql }: WebhooksCtx,
  organizationId: string,
): Promise<WebhookRow | Failure<'not_found'>> {
  return (await webhooksStore.get(sql, organizationId)) ?? failure('not_found')
}

/** Sets address and key. The signing secret is returned once, when the webhook is created; later calls leave it as it is. */
export async function setWebhook(
  ctx: WebhooksCtx,
  organizationId: string,
  input: WebhookInput,
  actor: Actor,
): Promise<
  { row: WebhookRow; signingSecret: string | undefined } | Failure<'invalid_request' | 'not_found'>
> {
  const { url } = input
  if (url.length > urlLengthMax || url.includes('#') || !ctx.calls.sender.outbound.allows(url))
    return invalid('url', 'must be a public https URL')
  const encryptionKey = keyOf(input)
  if (encryptionKey === undefined) return invalid('encryption_key', 'must be a public P-256 JWK')
  const { secret, ...stored } = await freshSecret(ctx, organizationId)
  const set = await ctx.sql.begin(async (tx) => {
    const before = await webhooksStore.lock(tx, organizationId)
    const put = await webhooksStore.put(tx, organizationId, { url, encryptionKey, ...stored })
    if (put === undefined) return failure('not_found')
    const { isNew, row } = put
    await record(ctx, tx, 'webhook.updated', organizationId, actor, {
      change: isNew ? 'created' : 'updated',
      ...(before && { before: described(before) }),
      after: described(row),
    })
    return { row, signingSecret: isNew ? secret : undefined }
  })
  if (!isFailure(set)) ctx.notices.nudge()
  return set
}

/** Replaces the signing secret and returns the new one, this once. The old one signs beside it for 24 h. */
export async function rotateSecret(
  ctx: WebhooksCtx,
  organizationId: string,
  actor: Actor,
): Promise<string | Failure<'not_found'>> {
  const { secret, ...stored } = await freshSecret(ctx, organizationId)
  const refused = await ctx.sql.begin(async (tx) => {
    if (!(await webhooksStore.rotate(tx, organizationId, stored))) return failure('not_found')
    await record(ctx, tx, 'webhook.updated', organizationId, actor, { change: 'secret_rotated' })
    return undefined
  })
  if (refused !== undefined) return refused
  ctx.notices.nudge()
  return secret
}

/** Removes address, key and secrets. Shares at the receiver cannot be fetched until a webhook is set again. */
export async function removeWebhook(
  ctx: WebhooksCtx,
  organizationId: string,
  actor: Actor,
): Promise<undefined | Failure<'not_found'>> {
  const refused = await ctx.sql.begin(async (tx) => {
    const before = await webhooksStore.lock(tx, organizationId)
    if (before === undefined || !(await webhooksStore.remove(tx, organizationId))) return failure('not_found')
    const said = { change: 'removed', before: described(before) }
    await record(ctx, tx, 'webhook.removed', organizationId, actor, said)
    return undefined
  })
  if (refused === undefined) ctx.notices.nudge()
  return refused
}

/** Sends a `ping` and returns how it went. */
export async function pingWebhook(
  { calls }: WebhooksCtx,
  organizationId: string,
): Promise<PingResult | Failure<'not_found'>> {
  const at = new Date(calls.clock.nowMs()).toISOString()
  const ping = { id: calls.ids.next(), organizationId, type: 'ping', at } as const
  try {
    const { status } = await callWebhook(calls, { ...ping, data: { organization_id: organizationId } })
    return { delivered: true, status, error: null }
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    if (error.code === 'not_configured') return failure('not_found')
    return { delivered: false, status: error.status ?? null, error: error.code }
  }
}

/** Records a change in the audit log and for the owners, in its transaction. */
async function record(
  { audit, notices }: WebhooksCtx,
  tx: Transaction,
  type: Extract<AuditEventType, 'webhook.updated' | 'webhook.removed'>,
  organizationId: string,
  actor: Actor,
  payload: { change: string; before?: object; after?: object },
): Promise<void> {
  const by = { actorType: actor.type, actorId: actor.id }
  await audit.append(tx, { organizationId, type, ...by, payload, success: true })
  const changed = `the recovery webhook was ${payload.change.replace('secret_rotated', 'given another secret')}`
  await notices.queue(tx, organizationId, { changed, by: actor.name ?? actor.type })
}

async function freshSecret({ random, calls: { ids, kms } }: WebhooksCtx, organizationId: string) {
  const secretId = ids.next()
  const secret = mintWebhookSecret(random)
  return { secretId, secret, sealedSecret: await sealSecret(kms, { organizationId, secretId }, secret) }
}

/** A webhook for the audit log: a path or a query may hold what only its owner should know. */
const described = ({ url, encryptionKey }: Pick<WebhookRow, 'url' | 'encryptionKey'>) => ({
  origin: new URL(url).origin,
  has_encryption_key: encryptionKey !== null,
})

/** The key to keep: null for none given, undefined for an invalid one. */
const keyOf = ({ encryptionKey }: WebhookInput): EncryptionKey | null | undefined =>
  encryptionKey === undefined ? null : readEncryptionKey(encryptionKey)

const invalid = (path: string, message: string) =>
  failure('invalid_request', { details: { issues: [{ path: [path], message }] } })
