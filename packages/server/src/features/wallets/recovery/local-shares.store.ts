import type { Queryable } from '../../../db/pool.ts'

/** A sealed recovery share in our own database. */
type LocalShare = {
  id: string
  organizationId: string
  walletId: string
  polynomialVersion: number
  shareIndex: number
  envelope: Uint8Array
  keyVersion: number
}

/** The statements of the recovery shares of service-managed organizations. */
export const localSharesStore = {
  async insert(sql: Queryable, share: LocalShare): Promise<void> {
    await sql`
      insert into recovery_shares (id, organization_id, wallet_id, polynomial_version, share_index, envelope, key_version)
      values (${share.id}, ${share.organizationId}, ${share.walletId}, ${share.polynomialVersion}, ${share.shareIndex},
        ${share.envelope}, ${share.keyVersion})`
  },

  /** The sealed share; undefined once it is rotated. */
  async envelopeOf(sql: Queryable, organizationId: string, id: string): Promise<Uint8Array | undefined> {
    const rows = await sql<{ envelope: Uint8Array | null }[]>`
      select envelope from recovery_shares where id = ${id} and organization_id = ${organizationId}`
    return rows[0]?.envelope ?? undefined
  },

  /** Rotates the wallet's shares below a version, and those at it that are not in force: the envelopes are deleted. */
  async rotate(
    tx: Queryable,
    { walletId, polynomialVersion }: { walletId: string; polynomialVersion: number },
    inForceId: string,
  ): Promise<void> {
    await tx`
      update recovery_shares set rotated_at = app_now(), envelope = null, key_version = null
      where wallet_id = ${walletId} and rotated_at is null
        and (polynomial_version < ${polynomialVersion} or polynomial_version = ${polynomialVersion} and id <> ${inForceId})`
  },
}
