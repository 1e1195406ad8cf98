/** An object of the OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>

const nestingMax = 4

/** An object's member that is an object; an empty one where it is something else. */
export const objectAt = (json: Json, name: string): Json => {
  const value = json[name]
  return isJson(value) ? value : {}
}

/** An object's member that is a list of objects. */
export const listAt = (json: Json, name: string): readonly Json[] => {
  const value = json[name]
  return Array.isArray(value) ? value.filter(isJson) : []
}

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text that is no markup. */
export const escaped = (text: unknown): string =>
  String(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** A description's paragraphs, with its code and links to pages of this platform. */
export function prose(text: unknown): string {
  if (typeof text !== 'string' || text === '') return ''
  return text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('')
}

const inline = (text: string): string =>
  escaped(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\[([^\]]+)\]\((\/[\w/.#-]*)\)/g, '<a href="$2">$1</a>')

/** Where a named schema is on the page. */
export const schemaId = (name: string): string => `schema-${name}`

/** What a value is, in few words. */
export function typeOf(schema: Json): string {
  const { $ref: reference, type, format } = schema
  if (typeof reference === 'string') {
    const name = reference.split('/').at(-1) ?? ''
    return `<a href="#${schemaId(escaped(name))}">${escaped(name)}</a>`
  }
  if ('const' in schema) return value(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map(value).join(' | ')
  for (const [name, word] of [
    ['anyOf', ' or '],
    ['oneOf', ' or '],
    ['allOf', ' and '],
  ] as const)
    if (Array.isArray(schema[name])) return listAt(schema, name).map(typeOf).join(word)
  if (type === 'array') return `array of ${typeOf(objectAt(schema, 'items')) || 'anything'}`
  if (type === 'object' && isJson(schema['additionalProperties']))
    return `map to ${typeOf(objectAt(schema, 'additionalProperties')) || 'anything'}`
  const names = Array.isArray(type) ? type : [type ?? 'any']
  return escaped(`${names.join(' | ')}${typeof format === 'string' ? ` (${format})` : ''}`)
}

const value = (json: unknown): string => `<code>${escaped(JSON.stringify(json))}</code>`

const limits = [
  ['minimum', '≥'],
  ['maximum', '≤'],
  ['minLength', 'length ≥'],
  ['maxLength', 'length ≤'],
  ['minItems', 'items ≥'],
  ['maxItems', 'items ≤'],
  ['default', 'default'],
] as const

function limitsOf(schema: Json): string {
  const found = limits.flatMap(([name, word]) => {
    const limit = schema[name]
    // The bound of every JSON integer says nothing.
    if (limit === undefined || limit === Number.MAX_SAFE_INTEGER) return []
    return [`${word} ${escaped(JSON.stringify(limit))}`]
  })
  return found.length === 0 ? '' : ` <small>${found.join(', ')}</small>`
}

/** The members of an object and of the objects in it, down to four levels; what is not an object has none. */
export function members(schema: Json, depth = 0): string {
  if (depth === nestingMax) return ''
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => listAt(schema, name))
  const inner = [...parts, objectAt(schema, 'items'), objectAt(schema, 'additionalProperties')]
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const rows = Object.entries(objectAt(schema, 'properties')).map(([name, member]) =>
    isJson(member) ? row({ name, schema: member, isRequired: required.includes(name) }, depth) : '',
  )
  const table = rows.length === 0 ? '' : `<table><tbody>${rows.join('')}</tbody></table>`
  return table + inner.map((each) => members(each, depth + 1)).join('')
}

/** A named value: a member, or a parameter. */
export function row(
  { name, schema, isRequired }: { name: string; schema: Json; isRequired: boolean },
  depth = 0,
): string {
  const needed = isRequired ? ' <small>required</small>' : ''
  return `<tr><th scope="row"><code>${escaped(name)}</code>${needed}</th><td>${typeOf(schema)}${limitsOf(schema)}${prose(
    schema['description'],
  )}${members(schema, depth + 1)}</td></tr>`
}
