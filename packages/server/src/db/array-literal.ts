/** An array literal of PostgreSQL for values that never need quotes: numbers, booleans, UUIDs. Null and undefined are NULL. */
export const plainArray = (
  values: readonly (string | number | bigint | boolean | null | undefined)[],
): string => {
  let text = ''
  for (const value of values) text += text === '' ? (value ?? 'NULL') : `,${value ?? 'NULL'}`
  return `{${text}}`
}

/** An array literal of any texts but U+0000, which PostgreSQL cannot store. Null and undefined are NULL. */
export const textArray = (values: readonly (string | null | undefined)[]): string => {
  let text = ''
  for (const value of values) {
    const element =
      value == null ? 'NULL' : /["\\]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`
    text += text === '' ? element : `,${element}`
  }
  return `{${text}}`
}

/** An array literal of `bytea` from hex. Null and undefined are NULL. */
export const bytesArray = (values: readonly (string | null | undefined)[]): string => {
  let text = ''
  for (const value of values) {
    const element = value == null ? 'NULL' : `"\\\\x${value}"`
    text += text === '' ? element : `,${element}`
  }
  return `{${text}}`
}
