import type { Action, Decoded } from '../effect.ts'

/** An action, what it is called where it stands alone, and what a person should be warned of. */
export type ToldAction = { readonly action: Action; readonly title: string; readonly warning?: string }

/** The gravest first: what a title of several actions names. */
const gravity = ['admin', 'unknown', 'approval', 'transfer', 'call'] as const

/** Title (the gravest action and how many more there are), actions and warnings, each warning once; no fee. */
export function summarize(told: readonly ToldAction[]): Decoded {
  let gravest: ToldAction | undefined
  const warnings = new Set<string>()
  for (const each of told) {
    if (gravest === undefined || rank(each) < rank(gravest)) gravest = each
    if (each.warning !== undefined) warnings.add(each.warning)
  }
  const more = told.length > 1 ? ` and ${told.length - 1} more` : ''
  return {
    title: gravest === undefined ? 'Change nothing' : gravest.title + more,
    actions: told.map(({ action }) => action),
    fee: null,
    warnings: [...warnings],
  }
}

function rank({ action }: ToldAction): number {
  return gravity.indexOf(action.kind)
}
