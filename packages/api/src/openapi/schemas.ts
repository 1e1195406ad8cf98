import * as z from 'zod'

/** A node of a JSON Schema. */
export type JsonSchema = { [key: string]: unknown }

/** Turns zod schemas into JSON Schema; those with an id are collected and referred to by name. */
export type Schemas = {
  /** The schema as the reader of an answer (`output`) or the writer of a request (`input`) sees it. */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema
  /** The named ones, by name in alphabetical order. */
  named(): Record<string, JsonSchema>
}

/** An empty collection; two different schemas of one id are an error. */
export function schemas(): Schemas {
  const components = new Map<string, JsonSchema>()

  return {
    of(schema, io) {
      // The wrapping makes the root itself a reference when it has an id.
      const { properties, $defs } = z.toJSONSchema(z.object({ root: schema }), { io, unrepresentable: 'any' })
      for (const [id, definition] of Object.entries($defs ?? {})) add(id, clean(definition) as JsonSchema)
      return clean((properties as Record<string, unknown>)['root']) as JsonSchema
    },
    named: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  }

  function add(id: string, definition: JsonSchema) {
    const known = components.get(id)
    if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
      throw new Error(`two schemas are named ${id}`)
    }
    components.set(id, definition)
  }
}

/** References point into the document; ids and what JSON cannot say are left out. */
function clean(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(clean)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !(key === 'id' && typeof value === 'string') && key !== '$schema')
      .map(([key, value]) => [key, key === '$ref' ? reference(String(value)) : clean(value)]),
  )
}

const reference = (ref: string) => ref.replace('#/$defs/', '#/components/schemas/')
