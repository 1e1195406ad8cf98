/**
 * A JSON value in its one canonical form (RFC 8785): members in the order of their names' UTF-16 code units, nothing between.
 * Numbers and strings are written by ECMAScript's rules, which the RFC takes over; a member that is undefined is left out, as
 * JSON does. Throws `TypeError` on a lone surrogate.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return canonicalText(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  const object = value as Record<string, unknown>
  const names = Object.keys(object).filter((name) => object[name] !== undefined)
  // Without a comparison of ours, sort() goes by UTF-16 code units.
  const members = names.sort().map((name) => `${canonicalText(name)}:${canonicalJson(object[name])}`)
  return `{${members.join()}}`
}

function canonicalText(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('a lone surrogate has no canonical form')
  return JSON.stringify(text)
}
