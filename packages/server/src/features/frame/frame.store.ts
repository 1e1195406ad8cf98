import type { Queryable } from '../../db/pool.ts'

/** An organization as its wallet frame shows it. */
export type FramedOrganization = {
  id: string
  name: string
  brandColor: string | null
  supportEmail: string | null
  signingMode: 'client' | 'tee'
  isConfirmationShown: boolean
  allowedOrigins: string[]
  /** The enclave's key ring of the installation; null while it has none. */
  ringId: string | null
}

/** The statement of the frame. */
export const frameStore = {
  /** The organization of a living publishable key. */
  async organizationOf(sql: Queryable, keyHash: Uint8Array): Promise<FramedOrganization | undefined> {
    const rows = await sql<FramedOrganization[]>`
      select o.id, o.name, o.brand_color as "brandColor", o.support_email as "supportEmail",
        o.signing_mode as "signingMode", o.sign_confirmation as "isConfirmationShown",
        o.allowed_origins as "allowedOrigins", (select id from enclave_rings) as "ringId"
      from api_keys k join organizations o on o.id = k.organization_id
      where k.hash = ${keyHash} and k.type = 'publishable' and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > app_now())`
    return rows[0]
  },
}
