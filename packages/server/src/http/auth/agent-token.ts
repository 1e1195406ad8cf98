import { ApiError } from '@symbolon/api'
import { parseToken } from '@symbolon/crypto'
import { agentTokenKey } from '@symbolon/crypto/node'
import {
  type AuthCtx,
  type Authenticated,
  type AuthRequest,
  mistyped,
  requireBearer,
  unknown,
} from './auth-scheme.ts'

const sessionToken = {
  name: 'session token',
  where: 'Mint one in the portal, under Agent sessions, or with your backend.',
}

/** Authenticates an agent session. Ended sessions reach only routes that may sign, which record the refused signing request. */
export async function authenticateAgentToken(
  { find }: AuthCtx,
  { route, credentials, weight }: AuthRequest,
): Promise<Authenticated> {
  const token = requireBearer(credentials, 'as_live_')
  if (parseToken(token)?.prefix !== 'as_live_') throw mistyped(sessionToken)
  const found = await find.agentSession(token, weight)
  if (found === undefined) throw unknown(sessionToken)
  const { session, organization, grant } = found
  if (route.isSigningRequest !== true && grant.isGranted) {
    if (session.state === 'revoked') throw new ApiError('token_revoked')
    if (session.state === 'expired') throw new ApiError('token_expired')
  }
  const isEnded = session.state !== 'active'
  return {
    principal: { organization, session: { ...session, tokenKey: agentTokenKey(token) } },
    credentialId: session.id,
    grant,
    bucket: { name: 'agent', key: session.id },
    ...(isEnded && { isEnded }),
  }
}
