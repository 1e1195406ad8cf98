import { ApiError } from '@symbolon/api'
import { parseToken } from '@symbolon/crypto'
import { isOriginAllowed } from '../origin.ts'
import type { PublishableRecord } from './api-keys.store.ts'
import { type AuthCtx, type Authenticated, type AuthRequest, needsHeader, whereKeys } from './auth-scheme.ts'

/** What checks a publishable key. */
export type KeyCheckCtx = Pick<AuthCtx, 'find' | 'originRules'>

type KeyCheck = {
  credentials: Pick<AuthRequest['credentials'], 'publishableKey' | 'origin'>
  onOrigin: AuthRequest['onOrigin']
}

/** Authenticates a publishable key, from an origin that its organization allows. */
export async function authenticatePublishableKey(ctx: AuthCtx, request: AuthRequest): Promise<Authenticated> {
  const { key, organization } = await checkPublishableKey(ctx, request)
  return { principal: { organization, key }, credentialId: key.id }
}

/** Checks the publishable key and the origin, and looks up in the same statement whether the user's token was revoked. */
export async function checkPublishableKey(
  { find, originRules }: KeyCheckCtx,
  { credentials: { publishableKey, origin }, onOrigin }: KeyCheck,
  userTokenHash?: string,
): Promise<PublishableRecord> {
  // An unknown key has no allowed origins, so any page may read its 401: without it, the page would blame its own origin.
  const readable = (error: ApiError): ApiError => {
    if (origin !== undefined) onOrigin(origin)
    return error
  }
  if (publishableKey?.startsWith('pk_live_') !== true)
    throw readable(needsHeader('`X-Service-Publishable-Key: pk_live_…`'))
  if (parseToken(publishableKey)?.prefix !== 'pk_live_') throw readable(keyError('is incomplete or mistyped'))
  const record = await find.publishableKey(publishableKey, userTokenHash)
  if (record === undefined) throw readable(keyError('is unknown or was revoked'))
  if (!isOriginAllowed(origin, record.organization.allowedOrigins, originRules))
    throw new ApiError('origin_not_allowed', { message: originProblem(origin ?? '', originRules.ownOrigin) })
  if (origin !== undefined) onOrigin(origin)
  return record
}

/** `details` tell a client that the login beside the key has not ended. */
const keyError = (problem: string): ApiError =>
  new ApiError('unauthorized', {
    message: `This publishable key ${problem}. ${whereKeys}`,
    details: { credential: 'publishable_key' },
  })

/** Names the origin only as a browser writes it: other texts are the caller's own. */
function originProblem(origin: string, platform: string): string {
  if (origin === 'null') return 'This page has no origin, as a file has none. Serve it over http or https.'
  const named = URL.parse(origin)?.origin === origin && origin.length <= 300 ? origin : 'This origin'
  return `${named} is not in the allowed origins of this organization. Add it under Settings, Allowed origins, in the portal (${platform}/portal).`
}
