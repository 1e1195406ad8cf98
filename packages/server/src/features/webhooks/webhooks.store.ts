import type { Queryable } from '../../db/pool.ts'
import type { EncryptionKey } from './encryption-key.ts'

/** A sealed signing secret. */
export type StoredSecret = { secretId: string; sealedSecret: Uint8Array }

/** The webhook of an organization. */
export type WebhookRow = {
  url: string
  encryptionKey: EncryptionKey | null
  createdAt: Date
  updatedAt: Date
}

/** The part that an organization sets. */
type WebhookSetting = Pick<WebhookRow, 'url' | 'encryptionKey'>

type TargetRow = WebhookSetting & StoredSecret & Partial<Nullable<Earlier>>
type Earlier = { earlierSecretId: string; earlierSealedSecret: Uint8Array }
type Nullable<row> = { [key in keyof row]: row[key] | null }

const columns = `url, encryption_key as "encryptionKey", created_at as "createdAt", updated_at as "updatedAt"`

const graceHours = 24

/** The webhook table's statements; every one names the organization. */
export const webhooksStore = {
  async get(sql: Queryable, organizationId: string): Promise<WebhookRow | undefined> {
    const rows = await sql<WebhookRow[]>`
      select ${sql.unsafe(columns)} from webhooks where organization_id = ${organizationId}`
    return rows[0]
  },

  /** The webhook, locked until the transaction ends: the event of a change says what it was before. */
  async lock(tx: Queryable, organizationId: string): Promise<WebhookRow | undefined> {
    await tx`select 1 from organizations where id = ${organizationId} for no key update`
    return webhooksStore.get(tx, organizationId)
  },

  /** The address to call, the key to seal to, and the secrets that sign right now, newest first. */
  async target(
    sql: Queryable,
    organizationId: string,
  ): Promise<(WebhookSetting & { secrets: StoredSecret[] }) | undefined> {
    const rows = await sql<TargetRow[]>`
      select url, encryption_key as "encryptionKey", secret_id as "secretId", sealed_secret as "sealedSecret",
        case when earlier_ends_at > now.at then earlier_secret_id end as "earlierSecretId",
        case when earlier_ends_at > now.at then earlier_sealed_secret end as "earlierSealedSecret"
      from webhooks, (select app_now() as at offset 0) now where organization_id = ${organizationId}`
    const row = rows[0]
    if (row === undefined) return undefined
    const { url, encryptionKey, secretId, sealedSecret, earlierSecretId, earlierSealedSecret } = row
    const secrets = [{ secretId, sealedSecret }]
    if (earlierSecretId && earlierSealedSecret)
      secrets.push({ secretId: earlierSecretId, sealedSecret: earlierSealedSecret })
    return { url, encryptionKey, secrets }
  },

  /**
   * Sets the address and the key; the secret is used only for a new webhook. Returns whether it is new, or `undefined` when the
   * organization does not exist.
   */
  async put(
    tx: Queryable,
    organizationId: string,
    webhook: WebhookSetting & StoredSecret,
  ): Promise<{ isNew: boolean; row: WebhookRow } | undefined> {
    const key = webhook.encryptionKey === null ? null : JSON.stringify(webhook.encryptionKey)
    const rows = await tx<(WebhookRow & { secretId: string })[]>`
      insert into webhooks (organization_id, url, encryption_key, secret_id, sealed_secret)
      select id, ${webhook.url}, ${key}::text::jsonb, ${webhook.secretId}, ${webhook.sealedSecret}
      from organizations where id = ${organizationId}
      on conflict (organization_id) do update set
        url = excluded.url, encryption_key = excluded.encryption_key, updated_at = app_now()
      returning secret_id as "secretId", ${tx.unsafe(columns)}`
    return rows[0] && { isNew: rows[0].secretId === webhook.secretId, row: rows[0] }
  },

  /** Makes another secret the current one. The previous one signs beside it for 24 h, an earlier one no longer. */
  async rotate(
    tx: Queryable,
    organizationId: string,
    { secretId, sealedSecret }: StoredSecret,
  ): Promise<boolean> {
    const result = await tx`
      update webhooks set
        earlier_secret_id = secret_id, earlier_sealed_secret = sealed_secret,
        earlier_ends_at = app_now() + ${graceHours} * interval '1 hour',
        secret_id = ${secretId}, sealed_secret = ${sealedSecret}, updated_at = app_now()
      where organization_id = ${organizationId}`
    return result.count === 1
  },

  async remove(tx: Queryable, organizationId: string): Promise<boolean> {
    const result = await tx`delete from webhooks where organization_id = ${organizationId}`
    return result.count === 1
  },
}
