import { ApiError } from '@symbolon/api'
import type { UserTokens } from '../../http/auth/auth-scheme.ts'
import type { Identity } from '../../http/principal.ts'
import { readJwt } from './jwt.ts'
import type { Oidc } from './oidc.ts'
import type { ServiceTokens } from './service-token.ts'
import { tokenName } from './token-name.ts'

/**
 * Both kinds of end-user tokens behind one door: our own in `service` mode, the customer's in `oidc` mode, never the
 * other's. `verify` throws `unauthorized`, `token_expired`, or `unavailable` when an issuer's keys cannot be had;
 * revocation it leaves to the lane, which asks the database.
 */
export function userTokens({ service, oidc }: { service: ServiceTokens; oidc: Oidc }): UserTokens {
  return {
    read(bearer) {
      const jwt = readJwt(bearer)
      return jwt && { tokenHash: tokenName(jwt) }
    },
    async verify({ organization, bearer, nowMs }) {
      const jwt = readJwt(bearer)
      if (jwt === undefined) throw new ApiError('unauthorized')
      const hash = tokenName(jwt)
      if (organization.authMode === 'oidc') {
        const { identity, expiresAtMs } = await oidc.verify(jwt, organization, nowMs)
        return { identity, token: { hash, expiresAt: new Date(expiresAtMs).toISOString() } }
      }
      const { sub, email, exp } = service.verify(jwt, organization, nowMs)
      const identity: Identity = { id: sub, authProvider: 'service', providerUserId: email, email }
      return { identity, token: { hash, expiresAt: new Date(exp * 1000).toISOString() } }
    },
  }
}
