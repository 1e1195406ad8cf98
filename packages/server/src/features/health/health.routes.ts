import { health as healthRoute, openapiDocument, ready } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import { type Health, isReady } from './health.ts'

/** Health, readiness and the OpenAPI document. */
export const healthRoutes = (health: Health, openapi: () => object) => [
  on(healthRoute, async () => ({ status: isReady(await health.components()) ? 'ok' : 'degraded' })),

  on(ready, async ({ fail }) => {
    const components = await health.components()
    if (!isReady(components)) throw fail('unavailable', { details: { components } })
    return { status: 'ready', components }
  }),

  on(openapiDocument, async () => openapi() as Record<string, unknown>),
]
