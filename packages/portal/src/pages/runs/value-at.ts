/** The member `name` of a value that may be anything; undefined if it has none. */
export function valueAt(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
