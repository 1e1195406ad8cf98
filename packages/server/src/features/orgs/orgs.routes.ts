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
import type { OrgModes } from './org-modes.ts'
import type { OrgProfile } from './org-profiles.store.ts'
import type { OrgProfiles } from './org-profiles.ts'
import type { OrgSettings } from './org-settings.ts'
import type { RecoveryModes } from './recovery-mode.ts'

/** The companies of portal users. */
export function orgsRoutes({
  profiles,
  settings,
  modes,
  recoveryMode,
}: {
  profiles: OrgProfiles
  settings: OrgSettings
  modes: OrgModes
  recoveryMode: RecoveryModes
}) {
  const actorOf = ({ user }: MemberPrincipal) => ({
    type: 'portal_user' as const,
    id: user.id,
    name: user.email,
  })

  return [
    on(listOrganizations, async ({ principal }) => ({
      items: (await profiles.list(principal.user.id)).map(wireOrganization),
    })),
    on(createOrganization, async ({ principal, body, fail }) =>
      wireOrganization(await profiles.create(principal.user, body, fail)),
    ),
    on(getOrganization, async ({ principal, fail }) => wireOrganization(await profiles.get(principal, fail))),
    on(updateOrganization, async ({ principal, body, fail }) => {
      await settings.update(principal.organization.id, body, actorOf(principal), fail)
      return wireOrganization(await profiles.get(principal, fail))
    }),
    on(updateOrganizationAuth, async ({ principal, body, fail }) => {
      await modes.setAuth(principal, body.auth_config, fail)
      return wireOrganization(await profiles.get(principal, fail))
    }),
    on(updateRecoveryMode, async ({ principal, body, fail }) => {
      await recoveryMode.set(principal.organization.id, body.mode, actorOf(principal), fail)
      return wireOrganization(await profiles.get(principal, fail))
    }),
    on(updateSigningMode, async ({ principal, body, fail }) => {
      await modes.setSigningMode(principal, body.signing_mode, fail)
      return wireOrganization(await profiles.get(principal, fail))
    }),
  ]
}

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
      ? { mode: 'oidc', issuer: profile.oidcIssuer ?? '', audience: profile.oidcAudience ?? '' }
      : { mode: 'service' },
  recovery_mode: profile.recoveryMode,
  signing_mode: profile.signingMode,
  supported_networks: profile.supportedNetworks,
  sign_confirmation: profile.signConfirmation,
  role: profile.role,
  created_at: profile.createdAt.toISOString(),
  updated_at: profile.updatedAt.toISOString(),
})
