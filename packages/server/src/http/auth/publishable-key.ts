import { ApiError } from '@symbolon/api'
import { parseToken } from '@symbolon/crypto'
import { isOriginAllowed } from '../origin.ts'
import type { PublishableRecord } from './api-keys.store.ts'
import {
  type AuthCtx,
  type Authenticated,
  type AuthRequest,
  mistyped,
  needsHeader,
  unknown,
} from './auth-scheme.ts'

/** Authenticates a publishable key, from an origin that its organization allows. */
export async function authenticatePublishableKey(ctx: AuthCtx, request: AuthRequest): Promise<Authenticated> {
  const { key, organization } = await checkPublishableKey(ctx, request)
  return { principal: { organization, key }, credentialId: key.id }
}

/** Checks the publishable key and the origin, and looks up in the same statement whether the user's token was revoked. */
export async function checkPublishableKey(
  { find, originRules }: AuthCtx,
  { credentials: { publishableKey, origin }, onOrigin }: AuthRequest,
  userTokenHash?: string,
): Promise<PublishableRecord> {
  // An unknown key has no allowed origins, so any page may read its 401: without it, the page would blame its own origin.
  const readable = (error: ApiError): ApiError => {
    if (origin !== undefined) onOrigin(origin)
    return error
  }
  if (publishableKey?.startsWith('pk_live_') !== true)
    throw readable(needsHeader('`X-Service-Publishable-Key: pk_live_…`'))
  if (parseToken(publishableKey)?.prefix !== 'pk_live_') throw readable(mistyped('publishable key'))
  const record = await find.publishableKey(publishableKey, userTokenHash)
  if (record === undefined) throw readable(unknown('publishable key'))
  if (!isOriginAllowed(origin, record.organization.allowedOrigins, originRules))
    throw new ApiError('origin_not_allowed')
  if (origin !== undefined) onOrigin(origin)
  return record
}
