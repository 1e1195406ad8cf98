import { getAttestation, getKeyAttestation } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { Limiter } from '../../http/limiter.ts'
import { clientBlock } from '../../runtime/client-block.ts'
import { rateLimited } from '../../runtime/failure.ts'
import { type AttestationCtx, attestPublicly, keyAttestation } from './attestation.ts'

/** What anybody can check of the enclave. */
export const attestationRoutes = (ctx: AttestationCtx, limiter: Limiter) => [
  on(getAttestation, async ({ query, request, rate }) => {
    const grant = await limiter.acquire('attestation', clientBlock(request.address))
    rate(grant)
    if (!grant.isGranted) return rateLimited(grant)
    return attestPublicly(ctx, Buffer.from(query.nonce, 'base64url'))
  }),

  on(getKeyAttestation, async ({ params, request, rate }) => {
    const grant = await limiter.acquire('attestation', clientBlock(request.address))
    rate(grant)
    if (!grant.isGranted) return rateLimited(grant)
    return keyAttestation(ctx, params.kid)
  }),
]
