import { type Data, identify, logout as logoutRoute, startEmailOtp, verifyEmailOtp } from '@symbolon/api'
import { type Bound, on } from '../../http/handler.ts'
import type { UserPrincipal } from '../../http/principal.ts'
import { mapResult } from '../../runtime/failure.ts'
import { type AuthCtx, logout, startLogin, verifyLogin } from './auth.ts'
import { recordOidcDevice } from './oidc-device.ts'

/** The routes of login, identity and logout. */
export const authRoutes = (ctx: AuthCtx): Bound[] => [
  on(startEmailOtp, ({ principal: { organization }, body: { email, client_nonce: nonce }, rate, request }) =>
    startLogin(ctx, { organization, email, nonce, request }, rate),
  ),
  on(verifyEmailOtp, async ({ principal: { organization }, body, rate, request }) => {
    const { client_nonce: nonce, ...given } = body
    const login = { organization, ...given, nonce, request }
    return mapResult(await verifyLogin(ctx, login, rate), ({ token, identityId, email }) => ({
      token,
      user_identity_id: identityId,
      email,
    }))
  }),
  on(identify, async ({ principal, request }) =>
    mapResult(await recordOidcDevice(ctx, principal, request), () => identityToWire(principal)),
  ),
  on(logoutRoute, ({ principal }) => logout(ctx, principal)),
]

const identityToWire = ({ organization, identity }: UserPrincipal): Data<typeof identify> => ({
  organization_id: organization.id,
  user_identity_id: identity.id,
  auth_provider: identity.authProvider,
  provider_user_id: identity.providerUserId,
  email: identity.email,
  supported_networks: [...organization.supportedNetworks],
  signing_mode: organization.signingMode,
})
