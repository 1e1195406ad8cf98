/** A node of a JSON Schema. */
export type JsonSchema = { [key: string]: unknown }

/**
 * A JSON Schema as TypeScript, as far as the contract uses the language; what TypeScript cannot say (lengths, patterns) is
 * left out. References become names. Throws on a keyword it does not know how to read.
 *
 * It stays ours because the tools give users worse types: json-schema-to-typescript adds numbered copies (`ClientPreview1`) and
 * a second comment per type, and openapi-typescript needs the compiler API that TypeScript 7 does not have.
 */
export function typeOf(schema: JsonSchema): string {
  if (typeof schema['$ref'] === 'string') return schema['$ref'].replace('#/components/schemas/', '')
  if ('const' in schema) return JSON.stringify(schema['const'])
  const oneOf = list(schema['anyOf']) ?? (schema['type'] === undefined ? list(schema['oneOf']) : undefined)
  if (oneOf !== undefined) return [...new Set(oneOf.map(typeOf))].join(' | ')
  const values = schema['enum']
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  const types = schema['type']
  if (Array.isArray(types)) return types.map((type) => typeOf({ ...schema, type })).join(' | ')
  switch (types as string | undefined) {
    case 'string':
    case 'boolean':
    case 'null':
      return String(types)
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `Array<${typeOf((schema['items'] ?? {}) as JsonSchema)}>`
    case 'object':
      return objectType(schema)
    case undefined:
      if (Object.keys(schema).every((key) => key === 'description')) return 'unknown'
  }
  throw new Error(`no TypeScript for ${JSON.stringify(schema)}`)
}

/** The names that a schema refers to, at any depth. */
export function namesIn(schema: unknown): string[] {
  return [...JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name ?? '',
  )
}

function objectType(schema: JsonSchema): string {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>
  const required = new Set((schema['required'] ?? []) as string[])
  const rest = schema['additionalProperties']
  const fields = Object.entries(properties).map(([name, property]) => {
    const text = property['description']
    const docs = typeof text === 'string' ? `/** ${text} */\n` : ''
    return `${docs}${name}${required.has(name) ? '' : '?'}: ${typeOf(property)}`
  })
  if (fields.length > 0) return `{\n${fields.join('\n')}\n}`
  const values = rest === true || rest === undefined ? 'unknown' : typeOf(rest as JsonSchema)
  return rest === false ? 'Record<string, never>' : `{ [name: string]: ${values} }`
}

const list = (value: unknown) => (Array.isArray(value) ? (value as JsonSchema[]) : undefined)
