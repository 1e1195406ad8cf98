import {
  createOrganization,
  getOrganization,
  listOrganizations,
  type Organization,
  updateOrganization,
  updateOrganizationAuth,
  updateRecoveryMode,
  updateSigningMode,
} from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { MemberPrincipal } from '../../http/principal.ts'
import { mapResult } from '../../runtime/failure.ts'
import { setAuth, setSigningMode } from './org-modes.ts'
import { type OrgProfile, orgProfilesStore } from './org-profiles.store.ts'
import { updateSettings } from './org-settings.ts'
import { changeOrganization, createCompany, type OrgsCtx, organizationOf } from './orgs.ts'
import { setRecoveryMode } from './recovery-mode.ts'

/** The companies of portal users. */
export const orgsRoutes = (ctx: OrgsCtx) => [
  on(listOrganizations, async ({ principal }) => ({
    items: (await orgProfilesStore.list(ctx.sql, principal.user.id)).map(wireOrganization),
  })),
  on(createOrganization, async ({ principal: { user }, body, rate }) => {
    const { signing_mode: signingMode, supported_networks: supportedNetworks, ...rest } = body
    const company = { ...rest, signingMode, ...(supportedNetworks !== undefined && { supportedNetworks }) }
    return mapResult(await createCompany(ctx, user, company, rate), wireOrganization)
  }),
  on(getOrganization, async ({ principal }) =>
    mapResult(await organizationOf(ctx, principal), wireOrganization),
  ),
  on(updateOrganization, async ({ principal, body }) => {
    const change = updateSettings(ctx, principal.organization.id, body, actorOf(principal))
    return mapResult(await changeOrganization(ctx, principal, change), wireOrganization)
  }),
  on(updateOrganizationAuth, async ({ principal, body }) => {
    const change = setAuth(ctx, principal, body.auth_config)
    return mapResult(await changeOrganization(ctx, principal, change), wireOrganization)
  }),
  on(updateRecoveryMode, async ({ principal, body }) => {
    const change = setRecoveryMode(ctx, principal.organization.id, body.mode, actorOf(principal))
    return mapResult(await changeOrganization(ctx, principal, change), wireOrganization)
  }),
  on(updateSigningMode, async ({ principal, body }) => {
    const change = setSigningMode(ctx, principal, body.signing_mode)
    return mapResult(await changeOrganization(ctx, principal, change), wireOrganization)
  }),
]

const actorOf = ({ user, role }: MemberPrincipal) => ({
  type: 'portal_user' as const,
  id: user.id,
  name: user.email,
  isOwner: role === 'owner',
})

const wireOrganization = (profile: OrgProfile): Organization => ({
  id: profile.id,
  name: profile.name,
  slug: profile.slug,
  country: profile.country,
  logo_url: profile.logoUrl,
  brand_color: profile.brandColor,
  support_email: profile.supportEmail,
  allowed_origins: profile.allowedOrigins,
  auth_config:
    profile.authMode === 'oidc'
      ? {
          mode: 'oidc',
          issuer: profile.oidcIssuer ?? '',
          audience: profile.oidcAudience ?? '',
          ...(profile.oidcTrustEmail && { trust_email: true }),
        }
      : { mode: 'service' },
  recovery_mode: profile.recoveryMode,
  signing_mode: profile.signingMode,
  supported_networks: profile.supportedNetworks,
  sign_confirmation: profile.signConfirmation,
  export_enabled: profile.exportEnabled,
  high_risk_delay_seconds: profile.highRiskDelaySeconds,
  trusted_clients: profile.trustedClients,
  receipts: profile.receipts,
  role: profile.role,
  created_at: profile.createdAt.toISOString(),
  updated_at: profile.updatedAt.toISOString(),
})
