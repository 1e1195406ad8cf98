/** Array literals of PostgreSQL for values that never need quotes: numbers, booleans, UUIDs, hex. `undefined` is NULL. */
export const plainArray = (values: readonly (string | number | boolean | undefined)[]): string => {
  let text = ''
  for (const value of values) text += text === '' ? (value ?? 'NULL') : `,${value ?? 'NULL'}`
  return `{${text}}`
}

/** An array literal of any texts but U+0000, which PostgreSQL has no way to store. */
export const textArray = (values: readonly string[]): string => {
  let text = ''
  for (const value of values) {
    const quoted = /["\\]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`
    text += text === '' ? quoted : `,${quoted}`
  }
  return `{${text}}`
}

/** `textArray` with null as NULL. */
export const nullableTextArray = (values: readonly (string | null)[]): string => {
  let text = ''
  for (const value of values) {
    const quoted = value === null ? 'NULL' : `"${value.replace(/["\\]/g, '\\$&')}"`
    text += text === '' ? quoted : `,${quoted}`
  }
  return `{${text}}`
}
