import { decodeUtf8 } from './utf8.ts'

/**
 * The object of a JSON text that has one reading, otherwise `undefined`: parsed and written again it is the same text but
 * for white space, so that no key stands twice and no escape is needless.
 */
export function strictJsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const text = decodeUtf8(bytes)
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const dense = text.replace(/("(?:[^"\\]|\\.)*")|[ \n\r\t]+/g, '$1')
    return JSON.stringify(value) === dense ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
