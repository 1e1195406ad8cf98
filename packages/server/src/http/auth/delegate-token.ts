import { type AuthCtx, type Authenticated, type AuthRequest, requireBearer } from './auth-scheme.ts'

/** Authenticates an agent that calls another one with a delegation token. It counts against the rate limit of the agent that delegated. */
export async function authenticateDelegateToken(
  { delegates, limiter }: AuthCtx,
  { credentials, weight }: AuthRequest,
): Promise<Authenticated> {
  const principal = await delegates.verify(requireBearer(credentials, 'ac_live_'), credentials.agentId ?? '')
  const bucket = { name: 'agent', key: principal.delegate.parentAgentId } as const
  const grant = await limiter.acquire(bucket.name, bucket.key, weight)
  return { principal, credentialId: principal.delegate.jti, grant, bucket }
}
