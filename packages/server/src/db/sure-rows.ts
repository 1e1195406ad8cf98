/** The column of a row that says that an answer is whole; see `rowsOfWhole`. */
export type End = { isEnd: true | null }

/**
 * The column of the one row that the statement always answers. Throws where that is not what came: an answer that is missing
 * or another statement's says nothing, and nothing may be taken for a permission.
 */
export function onlyValue<row, column extends keyof row & string>(
  rows: readonly row[],
  column: column,
): row[column] {
  const [row] = rows
  if (rows.length !== 1 || typeof row !== 'object' || row === null || !(column in row))
    throw new Error(`A statement did not answer its one row with ${column}.`)
  return row[column]
}

/**
 * The rows of a statement for which no row means success. It ends with `union all select …, true` as `isEnd`; throws where that
 * row is missing, as `onlyValue` does.
 */
export function rowsOfWhole<row extends End>(rows: readonly row[]): row[] {
  const others = rows.filter(({ isEnd }) => isEnd !== true)
  if (others.length !== rows.length - 1) throw new Error('An answer of the database is not whole.')
  return others
}
