import { decodeUtf8 } from '../codec/utf8.ts'
import { invalidPayload } from '../network-error.ts'

/** Real documents are never deeper. */
const depthMax = 32
/** Counted by commas, those in texts too: as many as the body of a request may have. */
const valuesMax = 16_384
/** What Go and JavaScript write differently: no document that both read the same way holds it. */
const ambiguous = /[^\P{Cc}\t\n\r]|[\u2028\u2029]/u
/** What JSON writes as it is. */
const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/
const beyondAscii = /[^\x20-\x7e]/

/**
 * The value of a canonical amino JSON document: sorted keys, no white space, `&`, `<` and `>` escaped as Go does.
 * Anything that is not written so is `invalid_payload`.
 */
export function parseAminoJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes)
  if (text !== undefined && hasTooMany(text))
    throw invalidPayload(`The sign document has more than ${valuesMax} values.`)
  const value = text === undefined ? undefined : parse(text)
  if (value === undefined || escaped(sortedJson(value)) !== text)
    throw invalidPayload('The sign document is not canonical JSON.')
  return value
}

function hasTooMany(text: string): boolean {
  let left = valuesMax
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) if (--left === 0) return true
  return false
}

/** A JSON value with sorted keys and without white space. */
export function sortedJson(value: unknown, depth = 0): string {
  if (depth > depthMax) throw invalidPayload('The sign document is nested too deeply.')
  if (Array.isArray(value)) return `[${value.map((item) => sortedJson(item, depth + 1)).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
    return `{${members.map(([key, item]) => `${textJson(key)}:${sortedJson(item, depth + 1)}`).join(',')}}`
  }
  return typeof value === 'string' ? textJson(value) : JSON.stringify(value)
}

function textJson(text: string): string {
  if (plain.test(text)) return `"${text}"`
  if (beyondAscii.test(text) && (ambiguous.test(text) || !text.isWellFormed()))
    throw invalidPayload('A text of the sign document has characters that are written in two ways.')
  return JSON.stringify(text)
}

function escaped(json: string): string {
  return json.replace(/&/g, '\\u0026').replace(/</g, '\\u003c').replace(/>/g, '\\u003e')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
