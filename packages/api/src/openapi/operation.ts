import type * as z from 'zod'
import { limits } from '../limits.ts'
import { type Route, takesIdempotencyKey } from '../route.ts'
import { responses } from './responses.ts'
import type { JsonSchema, Schemas } from './schemas.ts'
import { laneSecurity } from './security.ts'

/** One route as an OpenAPI operation. */
export function operation(name: string, route: Route, schemas: Schemas): JsonSchema {
  const parameters = [
    ...(route.params ? fields(route.params, 'path', schemas) : []),
    ...(route.query ? fields(route.query, 'query', schemas) : []),
    ...(takesIdempotencyKey(route) ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
  ]
  return {
    operationId: name,
    summary: route.summary,
    description: describe(route),
    tags: [route.id.slice(0, route.id.indexOf('.'))],
    security: laneSecurity[route.lane],
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        required: !route.body.safeParse(undefined).success,
        content: {
          'application/json': {
            schema: schemas.of(route.body, 'input'),
            ...(route.examples && { examples: examplesOf(route.examples) }),
          },
        },
      },
    }),
    responses: responses(route, schemas),
  }
}

function describe(route: Route): string {
  const limit = route.limit && limits[route.limit]
  return [
    route.description,
    route.scope && `Secret keys of scope \`${route.scope}\`${route.scope === 'read' ? ' or `full`' : ''}.`,
    limit &&
      `At most ${limit.burst} at once, then one per ${Number((limit.periodMs / 1000).toFixed(3))} s, per ${limit.per}.`,
    route.bearsCredential && 'The answer bears a credential and is never kept for its idempotency key.',
  ]
    .filter(Boolean)
    .join('\n\n')
}

function examplesOf(examples: Readonly<Record<string, unknown>>): JsonSchema {
  return Object.fromEntries(
    Object.entries(examples).map(([summary, value]) => [
      summary.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_'),
      { summary, value },
    ]),
  )
}

function fields(object: z.ZodObject, place: 'path' | 'query', schemas: Schemas): JsonSchema[] {
  return Object.entries(object.shape as Record<string, z.ZodType>).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path',
    // A query value arrives as text; what it means is what the output says.
    schema: schemas.of(schema, 'output'),
  }))
}
