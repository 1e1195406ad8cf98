import { health as healthRoute, openapiDocument, ready } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import { onRaw } from '../../http/raw-handler.ts'
import { failure } from '../../runtime/failure.ts'
import { areAllThere, checkComponents, type Health, isReady, isRingMismatch, notReady } from './health.ts'

const retryAfterSeconds = 1

/** Health, readiness and the OpenAPI document, which `document` makes. */
export const healthRoutes = (health: Health, document: () => Promise<Uint8Array>) => [
  on(healthRoute, async () => ({ status: (await areAllThere(health)) ? 'ok' : 'degraded' })),

  on(ready, async () => {
    const components = await checkComponents(health)
    if (isReady(components)) return { status: 'ready', components }
    const code = isRingMismatch(components) ? 'enclave_ring_mismatch' : 'unavailable'
    return failure(code, {
      details: { components },
      detail: { down: notReady(components), faults: health.faults },
      retryAfterSeconds,
    })
  }),

  onRaw(openapiDocument, async () => ({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: await document(),
  })),
]
