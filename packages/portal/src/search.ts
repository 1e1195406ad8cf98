/** The texts with these names in an address's query; others and empty ones are left out. */
export function textOf<name extends string>(
  search: Record<string, unknown>,
  ...names: name[]
): { [key in name]?: string } {
  const found: { [key in name]?: string } = {}
  for (const name of names) {
    const value = search[name]
    if (value !== undefined && value !== null && value !== '' && typeof value !== 'object')
      found[name] = String(value)
  }
  return found
}

/** The page number of a list in an address's query, from 1; absent for the first. */
export function pageOf(search: Record<string, unknown>): { page?: number } {
  const page = Number(search['page'])
  return Number.isSafeInteger(page) && page > 1 ? { page } : {}
}

/** A flag in an address's query: `true`, or absent. */
export function flagOf<name extends string>(
  search: Record<string, unknown>,
  name: name,
): { [key in name]?: true } {
  return String(search[name]) === 'true' ? ({ [name]: true } as { [key in name]?: true }) : {}
}

/** Parses an address's query as plain texts: the router's own parser would turn `true` and `1` into other types. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

/** Formats a query as plain texts, without empty ones. */
export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}
