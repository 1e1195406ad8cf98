import type { Action, Decoded } from '../effect.ts'

/** An action, what it is called where it stands alone, and what a person should be warned of. */
export type DescribedAction = { readonly action: Action; readonly title: string; readonly warning?: string }

/** The gravest first: what a title of several actions names. */
const gravity = ['admin', 'unknown', 'approval', 'transfer', 'call'] as const

/** Title (the gravest action and how many more there are), actions and warnings, each warning once; no fee. */
export function summarize(described: readonly DescribedAction[]): Decoded {
  let gravest: DescribedAction | undefined
  const warnings = new Set<string>()
  for (const each of described) {
    if (gravest === undefined || rank(each) < rank(gravest)) gravest = each
    if (each.warning !== undefined) warnings.add(each.warning)
  }
  const more = described.length > 1 ? ` and ${described.length - 1} more` : ''
  return {
    title: gravest === undefined ? 'Change nothing' : gravest.title + more,
    actions: described.map(({ action }) => action),
    fee: null,
    warnings: [...warnings],
  }
}

function rank({ action }: DescribedAction): number {
  return gravity.indexOf(action.kind)
}
