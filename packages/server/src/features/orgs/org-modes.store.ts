import type { Queryable } from '../../db/pool.ts'

/** The keeper of recovery shares written from now on. */
export type RecoveryMode = 'service_managed' | 'customer_managed'

/** The stored authentication mode of end users: issuer and audience are null for `service`. */
export type StoredAuth = {
  mode: 'service' | 'oidc'
  issuer: string | null
  audience: string | null
  trust_email: boolean
}

/** The statements of organizations' modes. Locks last until the transaction ends. */
export const orgModesStore = {
  async lockAuth(tx: Queryable, id: string): Promise<StoredAuth | undefined> {
    const rows = await tx<StoredAuth[]>`
      select auth_mode as mode, oidc_issuer as issuer, oidc_audience as audience, oidc_trust_email as trust_email
      from organizations where id = ${id} for no key update`
    return rows[0] && { ...rows[0] }
  },

  /** Sets how end users log in; tokens issued before it are refused. */
  async setAuth(
    tx: Queryable,
    id: string,
    { mode, issuer, audience, trust_email }: StoredAuth,
  ): Promise<void> {
    await tx`
      update organizations set auth_mode = ${mode}, oidc_issuer = ${issuer}, oidc_audience = ${audience},
        oidc_trust_email = ${trust_email},
        auth_changed_at = app_now(), updated_at = app_now()
      where id = ${id}`
  },

  /** Locks the organization and the counter row that every new wallet changes, so that none is created meanwhile. */
  async lockSigningMode(
    tx: Queryable,
    id: string,
  ): Promise<{ mode: 'client' | 'tee'; hasWallets: boolean } | undefined> {
    const rows = await tx<{ mode: 'client' | 'tee' }[]>`
      select signing_mode as mode from organizations where id = ${id} for no key update`
    await tx`select 1 from organization_counters where organization_id = ${id} for update`
    const found = await tx`select 1 from wallets where organization_id = ${id} limit 1`
    return rows[0] && { mode: rows[0].mode, hasWallets: found.length > 0 }
  },

  async setSigningMode(tx: Queryable, id: string, mode: 'client' | 'tee'): Promise<void> {
    await tx`update organizations set signing_mode = ${mode}, updated_at = app_now() where id = ${id}`
  },

  async recoveryMode(sql: Queryable, id: string): Promise<RecoveryMode | undefined> {
    const rows = await sql<{ mode: RecoveryMode }[]>`
      select recovery_mode as mode from organizations where id = ${id}`
    return rows[0]?.mode
  },

  async lockRecoveryMode(tx: Queryable, id: string): Promise<RecoveryMode | undefined> {
    const rows = await tx<{ mode: RecoveryMode }[]>`
      select recovery_mode as mode from organizations where id = ${id} for no key update`
    return rows[0]?.mode
  },

  async setRecoveryMode(tx: Queryable, id: string, mode: RecoveryMode): Promise<void> {
    await tx`update organizations set recovery_mode = ${mode}, updated_at = app_now() where id = ${id}`
  },
}
