import * as z from 'zod'
import type { Route } from '../route.ts'

/** What one part of the installation says of itself; `off` is switched off on purpose. */
export const Component = z
  .strictObject({
    status: z.enum(['up', 'starting', 'down', 'off']),
    phase: z.string().optional().meta({ description: 'The phase of the enclave.' }),
    mode: z.enum(['nitro', 'simulated']).optional().meta({
      description: 'What attests the enclave: `nitro`, or `simulated`, which only development accepts.',
    }),
    ring_id: z
      .string()
      .nullable()
      .optional()
      .meta({ description: "The id of the enclave's key ring (RFC 7638 thumbprint); null without one." }),
    expected_ring_id: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'The key ring of this installation, where the enclave does not have it.' }),
    reason: z
      .enum([
        'ring_not_made',
        'ring_missing',
        'ring_foreign',
        'ring_version_missing',
        'ring_not_adopted',
        'key_missing',
        'key_foreign',
      ])
      .optional()
      .meta({
        description:
          'Why the key ring of the enclave (`ring_…`) cannot be used, or the keys of the KMS: it does not have one that this installation needs, or has those of another.',
      }),
    enclaves: z
      .array(z.strictObject({ status: z.enum(['up', 'starting', 'down']) }))
      .optional()
      .meta({ description: 'Each enclave of the installation.' }),
  })
  .meta({ id: 'Component' })

/** What one part of the installation says of itself. */
export type Component = z.output<typeof Component>

/** Whether the API is up. */
export const health = {
  id: 'health.check',
  method: 'GET',
  path: '/v1/health',
  lane: 'public',
  summary: 'Check whether the API is up',
  description:
    'Returns 200 while the process serves; `degraded` when a component does not answer. Waits 0.5 s for them at most.',
  status: 200,
  data: z.strictObject({ status: z.enum(['ok', 'degraded']) }).meta({ id: 'Health' }),
  errors: [],
} as const satisfies Route

/** Whether signatures can be served. */
export const ready = {
  id: 'health.ready',
  method: 'GET',
  path: '/v1/ready',
  lane: 'public',
  summary: 'Check whether database, KMS and enclave respond',
  description:
    'Until they do, returns 503 with the same `components` in `error.details`: `enclave_ring_mismatch` where the enclave has another key ring than this installation, `unavailable` otherwise.',
  status: 200,
  data: z
    .strictObject({ status: z.enum(['ready']), components: z.record(z.string(), Component) })
    .meta({ id: 'Ready' }),
  errors: ['unavailable', 'enclave_ring_mismatch'],
} as const satisfies Route

/** The document that describes all routes. */
export const openapiDocument = {
  id: 'health.openapi',
  method: 'GET',
  path: '/v1/openapi.json',
  lane: 'public',
  handler: 'raw',
  summary: 'Read this document',
  description: 'Raw JSON without the envelope.',
  status: 200,
  data: z.record(z.string(), z.unknown()),
  errors: [],
  envelope: false,
} as const satisfies Route
