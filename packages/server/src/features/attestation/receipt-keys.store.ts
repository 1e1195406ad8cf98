import type { Attestation } from '@symbolon/api'
import type { Queryable } from '../../db/pool.ts'

/** A receipt key's attestation, as it was stored. */
export type StoredKeyAttestation = { attestation: Attestation; attestedAt: Date }

/** The statements on the attestations of receipt keys. */
export const receiptKeysStore = {
  async isKnown(sql: Queryable, kid: string): Promise<boolean> {
    return (await sql`select from enclave_receipt_keys where kid = ${kid}`).length > 0
  },

  /** Keeps the attestation of a key; the first one stays. */
  async insert(sql: Queryable, kid: string, attestation: Attestation): Promise<void> {
    await sql`insert into enclave_receipt_keys (kid, attestation)
      values (${kid}, ${JSON.stringify(attestation)}::text::jsonb) on conflict do nothing`
  },

  async find(sql: Queryable, kid: string): Promise<StoredKeyAttestation | undefined> {
    const rows = await sql<StoredKeyAttestation[]>`
      select attestation, attested_at as "attestedAt" from enclave_receipt_keys where kid = ${kid}`
    return rows[0]
  },
}
