import { ApiError } from '@symbolon/api'
import type { Identity, Organization, UserToken } from '../../http/caller.ts'
import { readJwt } from './jwt.ts'
import type { Oidc } from './oidc.ts'
import type { ServiceTokens } from './service-token.ts'
import { tokenName } from './token-name.ts'

/** Verification of end-user bearers, whoever issued them. Nothing here knows of revocation: the lane asks the database. */
export type UserTokens = {
  /** What revocation knows the bearer by, without trusting it; `undefined` for what cannot be a token. */
  read(bearer: string): { tokenHash: string } | undefined
  /**
   * Throws `unauthorized`, `token_expired`, or `unavailable` when an identity provider's keys cannot be had.
   * `nowMs` is the database's time.
   */
  verify(input: {
    organization: Organization
    bearer: string
    nowMs: number
  }): Promise<{ identity: Identity; token: UserToken }>
}

/** Both kinds of tokens behind one door: our own in `service` mode, the customer's in `oidc` mode, never the other's. */
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
