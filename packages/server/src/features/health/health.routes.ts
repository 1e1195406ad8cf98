import { health as healthRoute, openapiDocument, ready } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import { failure } from '../../runtime/failure.ts'
import { checkComponents, type Health, isReady, isRingMismatch } from './health.ts'

const retryAfterSeconds = 1

/** Health, readiness and the OpenAPI document. */
export const healthRoutes = (health: Health, openapi: () => object) => [
  on(healthRoute, async () => ({ status: isReady(await checkComponents(health)) ? 'ok' : 'degraded' })),

  on(ready, async () => {
    const components = await checkComponents(health)
    const code = isRingMismatch(components) ? 'enclave_ring_mismatch' : 'unavailable'
    if (!isReady(components)) return failure(code, { details: { components }, retryAfterSeconds })
    return { status: 'ready', components }
  }),

  on(openapiDocument, async () => openapi() as Record<string, unknown>),
]
