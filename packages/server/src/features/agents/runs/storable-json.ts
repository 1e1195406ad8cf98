const depthMax = 64

/**
 * The JSON text of a value as PostgreSQL stores it: characters that it cannot store (U+0000, lone surrogates) become U+FFFD, and values
 * nested deeper than 64 levels `…`. Undefined is null.
 */
export function storableJson(value: unknown): string {
  return JSON.stringify(storable(value, 0)) ?? 'null'
}

/** `text` without characters that PostgreSQL cannot store. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

function storable(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (depth >= depthMax) return '…'
  if (Array.isArray(value)) return value.map((element) => storable(element, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, element]) => [storableText(key), storable(element, depth + 1)]),
  )
}
