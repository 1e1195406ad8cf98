/** A record's own value of a key that comes from a payload: `constructor` and the like are no keys of it. */
export function ownValue<value>(record: Readonly<Record<string, value>>, key: string): value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
