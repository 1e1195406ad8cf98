import type { Queryable } from '../../db/pool.ts'

/** A device of a user. */
export type DeviceOwner = { organizationId: string; identityId: string; nonceHash: Uint8Array }

/** The token of a login: hash in hex, end in ISO 8601. */
type Token = { hash: string; expiresAt: string }

/** `isNew`: the user gets an email about the device. `isFirst`: no other device of the user has ever logged in. */
type RecordedLogin = { deviceId: string; isNew: boolean; isFirst: boolean }

/** No device becomes known sooner after the email about it (decisions, section 7). */
const hoursMin = 24

/** The statements of devices. Every time in them is the database's. */
export const devicesStore = {
  /** Records a login; see `record_device_login`. */
  async recordLogin(
    tx: Queryable,
    login: {
      organizationId: string
      identityId: string
      nonceHash: Uint8Array | null
      newId: string
      isMailable: boolean
      token: Token
    },
  ): Promise<RecordedLogin> {
    const rows = await tx<RecordedLogin[]>`
      select device_id as "deviceId", is_new as "isNew", is_first as "isFirst" from record_device_login(
        organization => ${login.organizationId}, identity => ${login.identityId}, nonce => ${login.nonceHash}::bytea,
        fresh_id => ${login.newId}, is_mailable => ${login.isMailable},
        token => decode(${login.token.hash}, 'hex'), token_ends_at => ${login.token.expiresAt}::timestamptz)`
    const row = rows[0]
    if (row === undefined) throw new Error('A login of a device was not recorded.')
    return row
  },

  /** Whether the email about the device left long enough ago: `delaySeconds`, and no less than a day. */
  async isKnown(
    sql: Queryable,
    { organizationId, identityId, nonceHash }: DeviceOwner,
    delaySeconds: number,
  ): Promise<boolean> {
    const rows = await sql`
      select 1 from devices
      where organization_id = ${organizationId} and user_identity_id = ${identityId} and nonce_hash = ${nonceHash}
        and forgotten_at is null
        and mailed_at + greatest(${hoursMin} * interval '1 hour', ${delaySeconds} * interval '1 second') <= app_now()`
    return rows.length === 1
  },

  /** Forgets the device and revokes the tokens of its logins; returns whose it was. */
  async forget(
    tx: Queryable,
    deviceId: string,
  ): Promise<{ identityId: string; nonceHash: Uint8Array | null } | undefined> {
    const rows = await tx<{ identityId: string; nonceHash: Uint8Array | null }[]>`
      with device as (
        update devices set forgotten_at = app_now() where id = ${deviceId}
        returning organization_id, user_identity_id, nonce_hash),
      revoked as (
        insert into revoked_tokens (organization_id, token_hash, expires_at)
        select device.organization_id, t.token_hash, t.expires_at
        from device_tokens t, device where t.device_id = ${deviceId}
        on conflict do nothing)
      select user_identity_id as "identityId", nonce_hash as "nonceHash" from device`
    return rows[0]
  },
}
