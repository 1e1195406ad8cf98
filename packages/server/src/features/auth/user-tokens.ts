import type { UserTokens } from '../../http/auth/auth-scheme.ts'
import type { Identity } from '../../http/principal.ts'
import { failure, mapResult } from '../../runtime/failure.ts'
import { readJwt } from './jwt.ts'
import { type OidcCtx, verifyOidcToken } from './oidc.ts'
import { type ServiceTokens, verifyServiceToken } from './service-token.ts'
import { tokenName } from './token-name.ts'

/**
 * Both kinds of end-user tokens: ours for organizations in `service` mode, the customer's for those in `oidc` mode, never the other's.
 * Revocation is checked by the auth scheme, which asks the database.
 */
export const userTokens = ({ service, oidc }: { service: ServiceTokens; oidc: OidcCtx }): UserTokens => ({
  read(bearer) {
    const jwt = readJwt(bearer)
    return jwt && { tokenHash: tokenName(jwt) }
  },
  async verify({ organization, bearer, nowMs }) {
    const jwt = readJwt(bearer)
    if (jwt === undefined) return failure('unauthorized')
    const tokenOf = (endsAtMs: number) => ({
      hash: tokenName(jwt),
      expiresAt: new Date(endsAtMs).toISOString(),
    })
    if (organization.authMode === 'oidc') {
      return mapResult(
        await verifyOidcToken(oidc, jwt, organization, nowMs),
        ({ identity, expiresAtMs }) => ({ identity, token: tokenOf(expiresAtMs) }),
      )
    }
    return mapResult(verifyServiceToken(service, jwt, organization, nowMs), ({ sub, email, exp }) => {
      const identity: Identity = { id: sub, authProvider: 'service', providerUserId: email, email }
      return { identity, token: tokenOf(exp * 1000) }
    })
  },
})
