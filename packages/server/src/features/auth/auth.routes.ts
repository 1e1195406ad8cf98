import { identify, logout, startEmailOtp, verifyEmailOtp } from '@symbolon/api'
import { type Bound, on } from '../../http/handler.ts'
import type { Auth } from './auth.ts'

/** The routes of login, identity and logout. */
export const authRoutes = (auth: Auth): Bound[] => [
  on(startEmailOtp, async ({ principal, body, fail, rate }) => {
    await auth.startLogin({ organization: principal.organization, email: body.email }, fail, rate)
    return undefined
  }),
  on(verifyEmailOtp, async ({ principal, body, fail, rate }) => {
    const login = await auth.verifyLogin({ organization: principal.organization, ...body }, fail, rate)
    return { token: login.token, user_identity_id: login.identityId, email: login.email }
  }),
  on(identify, async ({ principal: { organization, identity } }) => ({
    organization_id: organization.id,
    user_identity_id: identity.id,
    auth_provider: identity.authProvider,
    provider_user_id: identity.providerUserId,
    email: identity.email,
    supported_networks: [...organization.supportedNetworks],
    signing_mode: organization.signingMode,
  })),
  on(logout, async ({ principal: { organization, identity, token } }) => {
    await auth.logout({ organization, identity, token })
    return undefined
  }),
]
