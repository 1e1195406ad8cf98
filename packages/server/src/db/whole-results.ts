import type postgres from 'postgres'

/**
 * Statements whose results begin with their first row. The driver (3.4.9) sets its counter of rows back at the end of a result and not
 * where an error ends it: after a statement that fails behind its first row (a time limit, a division by zero) the next result on
 * that connection, anybody's, begins with as many holes. Transactions begin with a statement of their own, which sets it back.
 */
export function wholeResults<sql extends postgres.ISql>(sql: sql): sql {
  return new Proxy(sql, {
    apply: (target, self, statement) => whole(Reflect.apply(target as object as Statement, self, statement)),
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name !== 'unsafe' || typeof value !== 'function') return value
      return (...statement: unknown[]) => whole(value.apply(target, statement))
    },
  })
}

type Statement = (...statement: unknown[]) => unknown

/** The driver gives each query its `resolve`. What is no query, such as a list of values, has none. */
function whole(made: unknown): unknown {
  if (!(made instanceof Promise)) return made
  const query = made as Promise<unknown> & { resolve(result: unknown): void }
  const { resolve } = query
  query.resolve = (result) => resolve(Array.isArray(result) ? withoutHoles(result) : result)
  return made
}

/** In place: a result bears its count and columns. */
function withoutHoles(rows: unknown[]): unknown[] {
  if (rows.length === 0 || 0 in rows) return rows
  rows.splice(
    0,
    rows.findIndex((_, i) => i in rows),
  )
  return rows
}
