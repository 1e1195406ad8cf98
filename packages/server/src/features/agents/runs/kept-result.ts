import { agentRunResultBytesMax } from '@symbolon/api'
import type { RunEnd } from './runner.ts'
import { storableJson } from './storable-json.ts'

const textCharactersMax = 4_096
// A failure is shown wherever the state is, in lists too.
const failureBytesMax = 16_384

/**
 * A result as a run keeps it: whole up to 64 KiB of JSON, or 16 KiB for a failure. A larger one has its long texts cut, so that its other
 * fields (a payment, an error) stay; if that is not enough, only the beginning of its JSON is kept, in `beginning`.
 */
export function keptResult({ result, state }: Pick<RunEnd, 'result' | 'state'>): unknown {
  const bytesMax = state === 'failed' ? failureBytesMax : agentRunResultBytesMax
  const fits = (value: unknown) => Buffer.byteLength(storableJson(value)) <= bytesMax
  if (fits(result)) return result
  const cut = withShortTexts(result)
  if (fits(cut)) return cut
  const json = storableJson(result)
  return { is_cut: true, bytes: Buffer.byteLength(json), beginning: shortText(json) }
}

function withShortTexts(value: unknown): unknown {
  if (typeof value === 'string') return shortText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withShortTexts)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withShortTexts(inner)]))
}

const shortText = (text: string): string =>
  text.length <= textCharactersMax
    ? text
    : `${text.slice(0, textCharactersMax).toWellFormed()}… (cut; ${text.length} characters in all)`
