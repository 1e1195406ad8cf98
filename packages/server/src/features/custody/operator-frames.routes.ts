import { sendOperatorFrame } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { Limiter } from '../../http/limiter.ts'
import { clientBlock } from '../../runtime/client-block.ts'
import { mapResult, rateLimited } from '../../runtime/failure.ts'
import type { CarryOperatorFrame } from './operator-frames.ts'

/** The operators' channel to the enclave, which any API host carries. */
export const operatorFramesRoutes = (carry: CarryOperatorFrame, limiter: Limiter) => [
  on(sendOperatorFrame, async ({ body, request, rate }) => {
    const grant = await limiter.acquire('enclave-operator', clientBlock(request.address))
    rate(grant)
    if (!grant.isGranted) return rateLimited(grant)
    return mapResult(await carry(Buffer.from(body.frame, 'base64url')), (frame) => ({
      frame: Buffer.from(frame).toString('base64url'),
    }))
  }),
]
