import { policyReasonRows } from '@symbolon/api'
import type { PolicyReason, Refusal } from '@symbolon/policy'
import { limitList, shownActual } from './refusal-texts.ts'

type ReasonRow = {
  readonly code: PolicyReason
  readonly sentence: string
  readonly variants?: readonly {
    readonly rule?: string
    readonly limit?: string | null
    readonly sentence: string
  }[]
}

/** The values of the names in braces of a sentence; null where a value is unknown, or may not be in a sentence. */
type Values = Readonly<Record<string, string | null>>

const reasonRows: ReadonlyMap<PolicyReason, ReasonRow> = new Map(
  policyReasonRows.map((row) => [row.code, row]),
)
const ofChain: ReadonlySet<PolicyReason> = new Set(['chain_not_allowed', 'chain_blocked'])

/**
 * A refusal in one sentence for people and models, with its reason at the end; `details` has the rest. `assumedChain` is the
 * handle that was assumed where the request named none.
 */
export function refusalMessage(refusal: Refusal, { assumedChain }: { assumedChain?: string } = {}): string {
  const { reason, layer, limit, actual } = refusal
  // The chains that a payload is valid on are our own text.
  const shown = reason === 'chain_blocked' ? limitList(actual) : shownActual(actual)
  const sentence = filled(sentenceOf(refusal), {
    who: `the ${layer}`,
    limit: limitList(limit),
    actual: shown,
    s: limit === '1' ? '' : 's',
  })
  const assumed =
    assumedChain !== undefined && ofChain.has(reason)
      ? `; the request names no chain, so ${assumedChain} was assumed`
      : ''
  return `The policy refuses this: ${sentence}${assumed} (${reason}).`
}

function sentenceOf({ reason, rule, limit }: Refusal): string {
  const row = reasonRows.get(reason)
  if (row === undefined) throw new Error(`${reason} is not in the table of reasons.`)
  const variant = row.variants?.find(
    ({ rule: of, limit: at }) => of === rule || (at !== undefined && at === limit),
  )
  return (variant ?? row).sentence
}

/** A sentence of `reasons.ts` with its values: `[part|other]` is `other`, or nothing, where a value of `part` is not known. */
function filled(sentence: string, values: Values): string {
  return sentence
    .split(/(\[[^\]]*\])/)
    .map((piece) => {
      if (!piece.startsWith('[')) return withValues(piece, values) ?? ''
      const [part = '', other = ''] = piece.slice(1, -1).split('|')
      return withValues(part, values) ?? other
    })
    .join('')
}

function withValues(text: string, values: Values): string | null {
  const isKnown = [...text.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => values[name] != null)
  return isKnown ? text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '') : null
}
