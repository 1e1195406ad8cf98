import { decodeUtf8 } from './utf8.ts'

const [space, quote, backslash] = [0x20, 0x22, 0x5c]

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
    const written = JSON.stringify(value)
    return written === text || written === dense(text) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** A JSON text without the white space between its parts. */
function dense(text: string): string {
  let kept = ''
  let from = 0
  let isInText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInText) {
      if (code === backslash) at++
      else if (code === quote) isInText = false
    } else if (code === quote) isInText = true
    else if (code <= space) {
      kept += text.slice(from, at)
      from = at + 1
    }
  }
  return kept + text.slice(from)
}
