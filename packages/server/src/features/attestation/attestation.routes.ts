import { getAttestation, getKeyAttestation } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { Limiter, ReportRate } from '../../http/limiter.ts'
import { clientBlock, clientNetwork } from '../../runtime/client-block.ts'
import { type Failure, rateLimited } from '../../runtime/failure.ts'
import { type AttestationCtx, attestPublicly, keyAttestation } from './attestation.ts'

/** What anybody can check of the enclave. */
export const attestationRoutes = (ctx: AttestationCtx, limiter: Limiter) => [
  on(getAttestation, async ({ query, request, rate }) => {
    const failure = await throttle(limiter, request.address, rate)
    return failure ?? attestPublicly(ctx, Buffer.from(query.nonce, 'base64url'))
  }),

  on(getKeyAttestation, async ({ params, request, rate }) => {
    const failure = await throttle(limiter, request.address, rate)
    return failure ?? keyAttestation(ctx, params.kid)
  }),
]

/** Counts a client address and, since one customer may have 65,536 of those, its IPv6 network. */
async function throttle(
  limiter: Limiter,
  address: string,
  rate: ReportRate,
): Promise<Failure<'rate_limited'> | undefined> {
  const grant = await limiter.acquire('attestation', clientBlock(address))
  rate(grant)
  if (!grant.isGranted) return rateLimited(grant)
  const network = clientNetwork(address)
  if (network === undefined) return undefined
  const wide = await limiter.acquire('attestation-network', network)
  if (wide.isGranted) return undefined
  rate(wide)
  return rateLimited(wide)
}
