import type { ToolPart } from './agent-run.ts'

/**
 * Reads a text that is a call of a tool as a whole: JSON `{tool, arguments?}`, as clients send it that have only parts of text. Undefined for
 * any other text.
 */
export function callInText(text: string): ToolPart | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const { tool, arguments: given = {}, ...rest } = value as Record<string, unknown>
  if (typeof tool !== 'string' || Object.keys(rest).length > 0) return undefined
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  return { tool, arguments: given as Record<string, unknown> }
}
