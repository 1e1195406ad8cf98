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
import type { MemberCaller } from '../../http/caller.ts'
import { on } from '../../http/handler.ts'
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
  const actorOf = ({ user }: MemberCaller) => ({
    type: 'portal_user' as const,
    id: user.id,
    name: user.email,
  })

  return [
    on(listOrganizations, async ({ caller }) => ({
      items: (await profiles.list(caller.user.id)).map(wireOrganization),
    })),
    on(createOrganization, async ({ caller, body, fail }) =>
      wireOrganization(await profiles.create(caller.user, body, fail)),
    ),
    on(getOrganization, async ({ caller, fail }) => wireOrganization(await profiles.get(caller, fail))),
    on(updateOrganization, async ({ caller, body, fail }) => {
      await settings.update(caller.organization.id, body, actorOf(caller), fail)
      return wireOrganization(await profiles.get(caller, fail))
    }),
    on(updateOrganizationAuth, async ({ caller, body, fail }) => {
      await modes.setAuth(caller, body.auth_config, fail)
      return wireOrganization(await profiles.get(caller, fail))
    }),
    on(updateRecoveryMode, async ({ caller, body, fail }) => {
      await recoveryMode.set(caller.organization.id, body.mode, actorOf(caller), fail)
      return wireOrganization(await profiles.get(caller, fail))
    }),
    on(updateSigningMode, async ({ caller, body, fail }) => {
      await modes.setSigningMode(caller, body.signing_mode, fail)
      return wireOrganization(await profiles.get(caller, fail))
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
