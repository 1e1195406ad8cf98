import type { Queryable } from '../../db/pool.ts'

/** A new organization's row. */
export type OrganizationRow = {
  id: string
  name: string
  slug: string
  /** Two letters; empty where nobody told. */
  country: string
  signingMode: 'client' | 'tee'
  supportedNetworks: string[]
  allowedOrigins: string[]
}

/** A new key's row: its keyed hash, never its text. */
export type NewApiKey = {
  id: string
  organizationId: string
  name: string
  type: 'publishable' | 'secret'
  scope: 'full' | 'read' | null
  ipAllowlist: string[]
  expiresAt: Date | null
  hash: Uint8Array
  last4: string
}

/** The statements of organizations and keys. */
export const orgsStore = {
  /** Inserts the organization and its counter row, unless its slug is taken: then false. Call it in a transaction. */
  async insertNew(tx: Queryable, row: OrganizationRow): Promise<boolean> {
    const rows = await tx`
      insert into organizations (id, name, slug, country, signing_mode, supported_networks, allowed_origins)
      values (${row.id}, ${row.name}, ${row.slug}, ${row.country}, ${row.signingMode}, ${row.supportedNetworks},
        ${row.allowedOrigins})
      on conflict (slug) do nothing
      returning id`
    if (rows.length === 0) return false
    await tx`insert into organization_counters (organization_id) values (${row.id})`
    return true
  },

  async insertKey(sql: Queryable, key: NewApiKey): Promise<void> {
    await sql`
      insert into api_keys (id, organization_id, name, type, scope, hash, last4, ip_allowlist, expires_at)
      values (${key.id}, ${key.organizationId}, ${key.name}, ${key.type}, ${key.scope}, ${key.hash}, ${key.last4},
        ${key.ipAllowlist}::text[]::cidr[], ${key.expiresAt})`
  },
}
