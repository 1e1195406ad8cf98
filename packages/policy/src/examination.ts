import type { Check, PolicyLayer, PolicyReason, Refusal, Split } from './decision.ts'

/**
 * What a check is about: the rule, whose it is, what going against it is called, and of a native total what is spent of it. `isOfEach`: every
 * effect of a payload is checked by the same limit, of which only the first check that passes is noted.
 */
type Rule = {
  readonly reason: PolicyReason
  readonly layer: PolicyLayer
  readonly rule: string
  readonly isOfEach?: true
} & Partial<Split>

/** The texts of a check; made only where somebody will read them. */
type Texts = { limit(): string | null; actual(): string | null }

/** The checks of one evaluation, up to the first that fails. */
export type Examination = {
  /** Takes note of one check and says whether it passed. */
  check(passed: boolean, rule: Rule, texts: Texts): boolean
  readonly checks: readonly Check[]
  refusal(): Refusal | null
}

const textMax = 8192

/** Starts an examination; with `explain` checks that pass are noted too. */
export function examine(explain: boolean): Examination {
  const checks: Check[] = []
  const noted = new Set<string>()
  let refusal: Refusal | null = null
  return {
    check(passed, { reason, layer, rule, isOfEach, ...split }, texts) {
      if (passed && (!explain || (isOfEach && noted.has(`${layer} ${rule}`)))) return true
      noted.add(`${layer} ${rule}`)
      const said = { rule, layer, limit: short(texts.limit()), actual: short(texts.actual()) }
      if (explain) checks.push({ ...said, passed })
      if (!passed) refusal ??= { ...said, reason, ...split }
      return passed
    },
    checks,
    refusal: () => refusal,
  }
}

/** A list as the limit of a check shows it. */
export function listText(list: Iterable<string>): string {
  return [...list].join(', ')
}

function short(text: string | null): string | null {
  return text !== null && text.length > textMax ? `${text.slice(0, textMax - 1)}…` : text
}
