import type { Curve } from '@symbolon/networks'
import type { Queryable } from '../../../db/pool.ts'
import type { CodeSubject } from '../../mailed-codes/index.ts'
import type { SealedRow } from '../../outbox/index.ts'
import type { Device } from '../delay/delay.ts'

/** The direction of a key transfer. */
export type TransferKind = 'export' | 'import'

/** The states of a transfer; only an open one and one that waits take a code. */
type TransferState = 'open' | 'delayed' | 'completed' | 'locked' | 'expired'

/** A transfer with its wallet. */
export type KeyTransferRow = {
  id: string
  kind: TransferKind
  organizationId: string
  userIdentityId: string
  walletId: string
  curve: Curve
  email: string
  state: TransferState
  /** The device that opened it. */
  device: Device
  readyAt: Date | null
  expiresAt: Date
  /** The enclave's key for an import, which lasts until the enclave restarts. Null for an export. */
  importKey: Uint8Array | null
  /** Null while the wallet does not exist. */
  walletStatus: 'active' | 'archived' | null
  address: string | null
}

/** A new row of `key_transfers`. The database sets its times. */
type NewTransfer = Omit<KeyTransferRow, 'state' | 'walletStatus' | 'address' | 'readyAt' | 'expiresAt'> & {
  salt: Uint8Array
  codeHash: Uint8Array
}

type Owned = Pick<KeyTransferRow, 'userIdentityId' | 'curve' | 'kind'>

/** The statements of key transfers. Every time in them is the database's. */
export const keyTransfersStore = {
  /** The transfers that the caps on starting count: by user, curve and kind. */
  startsOf: ({ userIdentityId, curve, kind }: Owned): CodeSubject => ({
    place: 'transfer',
    where: (sql) => sql`user_identity_id = ${userIdentityId} and curve = ${curve} and kind = ${kind}`,
  }),

  /** Ends the earlier transfer of the kind (one that waits only if the device opened it or `endsDelayed`) and starts one of 10 min; queues the email with its code. Returns when it expires. */
  async start(
    tx: Queryable,
    { endsDelayed, ...transfer }: NewTransfer & { endsDelayed: boolean },
    mail: SealedRow,
  ): Promise<Date> {
    await tx`
      with ended as (
        update key_transfers t set state = case when attempts >= 5 then 'locked' else 'expired' end
        where user_identity_id = ${transfer.userIdentityId} and curve = ${transfer.curve} and kind = ${transfer.kind}
          and (state = 'open' or state = 'delayed' and (${endsDelayed} or device_hash = ${transfer.device}))
        returning ready_mail_id)
      delete from outbox o using ended where o.id = ended.ready_mail_id`
    const rows = await tx<{ expiresAt: Date }[]>`
      with clock as materialized (select date_trunc('milliseconds', app_now()) as now),
      transfer as (
        insert into key_transfers (id, kind, organization_id, user_identity_id, wallet_id, curve, email, salt, code_hash,
          import_key, device_hash, expires_at, created_at)
        select ${transfer.id}, ${transfer.kind}, ${transfer.organizationId}, ${transfer.userIdentityId},
          ${transfer.walletId}, ${transfer.curve}, ${transfer.email}, ${transfer.salt}, ${transfer.codeHash},
          ${transfer.importKey}, ${transfer.device}, now + interval '10 minutes', now from clock
        returning expires_at, created_at),
      mail as (
        insert into outbox (id, kind, organization_id, sealed_payload, next_attempt_at, expires_at)
        select ${mail.id}, 'mail', ${transfer.organizationId}, ${mail.sealedPayload}, created_at, expires_at from transfer)
      select expires_at as "expiresAt" from transfer`
    const started = rows[0]
    if (started === undefined) throw new Error('A starting transfer returned no row.')
    return started.expiresAt
  },

  /** The user's transfer, with its current state. */
  async find(
    sql: Queryable,
    wanted: { organizationId: string; identityId: string; kind: TransferKind; id: string },
  ): Promise<KeyTransferRow | undefined> {
    const rows = await sql<KeyTransferRow[]>`
      select t.id, t.kind, t.organization_id as "organizationId", t.user_identity_id as "userIdentityId",
        t.wallet_id as "walletId", t.curve, t.email, key_transfer_state(t) as state, t.import_key as "importKey",
        t.device_hash as device, t.ready_at as "readyAt", t.expires_at as "expiresAt",
        w.status as "walletStatus", w.address
      from key_transfers t left join wallets w on w.id = t.wallet_id
      where t.id = ${wanted.id} and t.kind = ${wanted.kind} and t.organization_id = ${wanted.organizationId}
        and t.user_identity_id = ${wanted.identityId}`
    return rows[0]
  },

  /** Completes the transfer, open or ready, and returns when; undefined for all but one of several requests with the right code. */
  async complete(tx: Queryable, id: string): Promise<Date | undefined> {
    const rows = await tx<{ at: Date }[]>`
      update key_transfers set state = 'completed'
      where id = ${id} and expires_at > app_now() and (state = 'open' or state = 'delayed' and ready_at <= app_now())
      returning app_now() as at`
    return rows[0]?.at
  },

  /** Ends an open transfer that can no longer be completed. */
  async expire(sql: Queryable, id: string): Promise<void> {
    await sql`update key_transfers set state = 'expired' where id = ${id} and state = 'open'`
  },
}
