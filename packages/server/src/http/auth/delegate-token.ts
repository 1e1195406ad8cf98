import { type AuthCtx, type Authenticated, type AuthRequest, requireBearer } from './auth-scheme.ts'

/** Authenticates an agent that calls another one with a delegation token. It counts against the rate limit of the agent that delegated. */
export async function authenticateDelegateToken(
  { delegates, limiter }: AuthCtx,
  { credentials }: AuthRequest,
): Promise<Authenticated> {
  const principal = await delegates.verify(requireBearer(credentials), credentials.agentId ?? '')
  const grant = await limiter.acquire('agent', principal.delegate.parentAgentId)
  return { principal, credentialId: principal.delegate.jti, grant }
}
