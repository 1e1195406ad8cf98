import type postgres from 'postgres'

/**
 * How arrays of the types that we use travel, by the object ids of PostgreSQL's catalogue. The driver would ask for them
 * over every new connection, in a statement whose failure nobody catches.
 */
export const arrayTypes: Record<string, postgres.PostgresType> = Object.fromEntries([
  ...[1009, 1015, 2951, 651, 1041, 1016, 1185].map((id) => [`array${id}`, arrayType(id, (text) => text)]),
  ...[1005, 1007, 1021, 1022].map((id) => [`array${id}`, arrayType(id, Number)]),
])

function arrayType(id: number, element: (text: string) => unknown): postgres.PostgresType {
  return {
    to: id,
    from: [id],
    serialize: arrayLiteral,
    parse: (text: string) => arrayElements(text).map(element),
  }
}

/** The literal of a flat array; null is NULL. */
function arrayLiteral(values: readonly unknown[]): string {
  const quoted = values.map((value) =>
    value === null || value === undefined ? 'NULL' : `"${String(value).replace(/["\\]/g, '\\$&')}"`,
  )
  return `{${quoted.join(',')}}`
}

/** The elements of a flat array's literal; NULL is not among what we store. */
function arrayElements(text: string): string[] {
  const matches = text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs)
  return [...matches].map(([, quoted, plain = '']) => quoted?.replace(/\\(.)/gs, '$1') ?? plain)
}
