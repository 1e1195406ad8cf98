import { bytesArray, plainArray, textArray } from './array-literal.ts'
import type { Queryable } from './pool.ts'
import type { Statement } from './statement.ts'

/** What an element of each array type is here: `bytea` as hex, a `timestamptz` as ISO 8601, a large `bigint` as its digits. */
type Elements = {
  'uuid[]': string
  'smallint[]': number
  'integer[]': number
  'bigint[]': number | string
  'numeric[]': bigint
  'boolean[]': boolean
  'text[]': string
  'bytea[]': string
  'timestamptz[]': string
}

const literals = {
  'uuid[]': plainArray,
  'smallint[]': plainArray,
  'integer[]': plainArray,
  'bigint[]': plainArray,
  'numeric[]': plainArray,
  'boolean[]': plainArray,
  'text[]': textArray,
  'bytea[]': bytesArray,
  'timestamptz[]': textArray,
} satisfies Record<keyof Elements, unknown>

/** A column: its type in the database, and its value in a row. Null and undefined are NULL. */
type Column<row> = {
  [type in keyof Elements]: readonly [type: type, value: (row: row) => Elements[type] | null | undefined]
}[keyof Elements]

/** For each set of rows in a batch, the arguments that carry its columns, by name. */
export type BatchColumns<batch> = {
  readonly [rows in keyof batch]: batch[rows] extends readonly (infer row)[]
    ? Readonly<Record<string, Column<row>>>
    : never
}

/**
 * The writer of a batch for a function of the database that takes arrays: `name => $n` for each column, as a part of the statement that
 * calls it. A column stands here once, so that no array can land in another one's place.
 * @example
 * const written = batchArguments<{ rates: Rate[] }>({ rates: { keys: ['text[]', ({ key }) => key] } })
 * await sql`select * from take(${written(sql, { rates })})`
 */
export function batchArguments<batch extends Record<string, readonly unknown[]>>(
  columns: BatchColumns<batch>,
): (sql: Queryable, batch: batch) => Statement<unknown> {
  const texts: string[] = []
  const writers: ((batch: batch) => string)[] = []
  for (const [rows, named] of Object.entries<Readonly<Record<string, Column<unknown>>>>(columns)) {
    for (const [name, [type, value]] of Object.entries(named)) {
      texts.push(`${texts.length === 0 ? '' : ', '}${name} => `)
      // Each type goes with the literal of its elements, which the union has forgotten.
      const literal = literals[type] as (values: readonly unknown[]) => string
      writers.push((batch) => literal((batch[rows] ?? []).map((row): unknown => value(row))))
    }
  }
  const template = Object.assign([...texts, ''], { raw: texts })
  return (sql, batch) => sql(template, ...writers.map((write) => write(batch)))
}
