import { ApiError, type Limit, type LimitName, limits, raisedLimit } from '@symbolon/api'
import { orThrow } from '../../runtime/failure.ts'
import type { Organization } from '../principal.ts'
import { type AuthCtx, type Authenticated, type AuthRequest, needsHeader, readBearer } from './auth-scheme.ts'
import { checkPublishableKey } from './publishable-key.ts'

/** Authenticates an end user: a publishable key with the user's token. */
export async function authenticateEndUser(ctx: AuthCtx, request: AuthRequest): Promise<Authenticated> {
  const bearer = readBearer(request.credentials)
  const tokenHash = bearer === undefined ? undefined : ctx.userTokens.read(bearer)?.tokenHash
  const { key, organization, nowMs, isTokenRevoked } = await checkPublishableKey(ctx, request, tokenHash)
  // After the origin check: to a page that may not read the answer, this must look like a failed request, not an ended login.
  if (bearer === undefined) throw needsHeader("`Authorization: Bearer …` with the user's token")
  if (tokenHash === undefined) throw new ApiError('unauthorized')
  const { identity, token } = orThrow(await ctx.userTokens.verify({ organization, bearer, nowMs }))
  if (isTokenRevoked) throw new ApiError('token_revoked')
  // Idempotency keys belong to the token, so that one login never gets the answers of another, and to the user, because two
  // organizations may accept the same token.
  const credentialId = `${identity.id} ${token.hash}`
  const authenticated = { principal: { organization, key, identity, token }, credentialId }
  const { limit } = request.route
  if (!isCountedHere(limit)) return authenticated
  const bucket = { name: limit, key: identity.id, limit: limitOf(limit, organization) }
  const grant = await ctx.limiter.acquire(bucket.name, bucket.key, request.weight, bucket.limit)
  return { ...authenticated, grant, bucket }
}

const signatures = ['user-sign', 'provider-share'] as const
const perUser = [...signatures, 'share-refresh', 'user-transaction'] as const

/** Other rates of the lane are counted by the handlers, once they know the wallet. */
const isCountedHere = (name: LimitName | undefined): name is (typeof perUser)[number] =>
  perUser.some((counted) => counted === name)

/** The documented rate; for signatures, in either mode, the operator's figure for the organization where there is one. */
function limitOf(name: (typeof perUser)[number], { userSignsPerMinute }: Organization): Limit {
  const limit = limits[name]
  return userSignsPerMinute === null || !signatures.some((raised) => raised === name)
    ? limit
    : raisedLimit(limit, userSignsPerMinute)
}
