import { sendOperatorFrame } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { Limiter } from '../../http/limiter.ts'
import { clientBlock } from '../../runtime/client-block.ts'
import { mapResult, rateLimited } from '../../runtime/failure.ts'
import { carryOperatorFrame, type OperatorFramesCtx } from './operator-frames.ts'

/** The operators' channel to the enclave, which any API host carries. */
export const operatorFramesRoutes = (ctx: OperatorFramesCtx, limiter: Limiter) => [
  on(sendOperatorFrame, async ({ body, request, rate }) => {
    const grant = await limiter.acquire('enclave-operator', clientBlock(request.address))
    rate(grant)
    if (!grant.isGranted) return rateLimited(grant)
    const carried = await carryOperatorFrame(ctx, Buffer.from(body.frame, 'base64url'))
    return mapResult(carried, (frame) => ({ frame: Buffer.from(frame).toString('base64url') }))
  }),
]
