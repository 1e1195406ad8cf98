import type { NetworkName, PortalRole } from '@symbolon/api'
import type { Queryable } from '../../db/pool.ts'
import type { RecoveryMode } from './org-modes.store.ts'

/** An organization as one of its members sees it. */
export type OrgProfile = {
  id: string
  name: string
  slug: string
  country: string
  logoUrl: string | null
  brandColor: string | null
  supportEmail: string | null
  allowedOrigins: string[]
  authMode: 'service' | 'oidc'
  oidcIssuer: string | null
  oidcAudience: string | null
  oidcTrustEmail: boolean
  recoveryMode: RecoveryMode
  signingMode: 'client' | 'tee'
  supportedNetworks: NetworkName[]
  signConfirmation: boolean
  exportEnabled: boolean
  highRiskDelaySeconds: number
  trustedClients: string[]
  receipts: boolean
  role: PortalRole
  createdAt: Date
  updatedAt: Date
}

const columns = `o.id, o.name, o.slug, o.country, o.logo_url as "logoUrl", o.brand_color as "brandColor",
  o.support_email as "supportEmail", o.allowed_origins as "allowedOrigins", o.auth_mode as "authMode",
  o.oidc_issuer as "oidcIssuer", o.oidc_audience as "oidcAudience", o.oidc_trust_email as "oidcTrustEmail", o.recovery_mode as "recoveryMode",
  o.signing_mode as "signingMode", o.supported_networks as "supportedNetworks", o.sign_confirmation as "signConfirmation",
  o.export_enabled as "exportEnabled", o.high_risk_delay_seconds as "highRiskDelaySeconds",
  o.trusted_clients::text[] as "trustedClients", o.receipts,
  m.role, o.created_at as "createdAt", o.updated_at as "updatedAt"`

/** Companies in one list. */
const listedMax = 200

/** Reads organizations through the membership of a portal user: without one there is nothing to read. */
export const orgProfilesStore = {
  /** Those that the user has opened come first: anybody can make a stranger a member, of any number of companies. */
  async list(sql: Queryable, userId: string): Promise<OrgProfile[]> {
    return sql<OrgProfile[]>`
      select ${sql.unsafe(columns)} from organization_members m join organizations o on o.id = m.organization_id
      where m.user_id = ${userId} order by m.entered_at is null, o.created_at, o.id limit ${listedMax}`
  },

  async get(sql: Queryable, organizationId: string, userId: string): Promise<OrgProfile | undefined> {
    const rows = await sql<OrgProfile[]>`
      select ${sql.unsafe(columns)} from organization_members m join organizations o on o.id = m.organization_id
      where m.user_id = ${userId} and m.organization_id = ${organizationId}`
    return rows[0]
  },
}
