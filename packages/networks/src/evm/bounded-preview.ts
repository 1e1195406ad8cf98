import type { Action, Decoded } from '../effect.ts'
import { takeoverStart } from './takeover.ts'

/** More than a person reads, and what the wire takes of each. */
const actionsMax = 256
const warningsMax = 64

/** All actions, or with too many of them as many as are shown and one that stands for the rest. */
export function boundedActions(
  parts: readonly Decoded[],
  from: string,
  warnings: string[],
): readonly Action[] {
  const actions = parts.flatMap((part) => part.actions)
  if (actions.length <= actionsMax) return actions
  const shown = actions.slice(0, actionsMax - 1)
  warnings.unshift(`${actions.length - shown.length} further actions are not shown.`)
  const rest = { asset: null, amount: null, amountDisplay: null, method: null, args: null }
  return [...shown, { ...rest, kind: 'unknown', from, to: null }]
}

/** Each once, takeovers first, so that no crowd of others hides one. */
export function orderedWarnings(warnings: readonly string[]): readonly string[] {
  const once = [...new Set(warnings)]
  const isTakeover = (warning: string) => warning.startsWith(takeoverStart)
  const ordered = [...once.filter(isTakeover), ...once.filter((warning) => !isTakeover(warning))]
  if (ordered.length <= warningsMax) return ordered
  const shown = ordered.slice(0, warningsMax - 1)
  return [...shown, `${ordered.length - shown.length} further warnings are not shown.`]
}
