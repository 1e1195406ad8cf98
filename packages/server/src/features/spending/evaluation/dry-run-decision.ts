import type { PolicyDecision } from '@symbolon/api'
import type { Check, Decision as Judgement, Refusal, Spend } from '@symbolon/policy'
import type { Hold, Standing } from '../budgets/budgets.store.ts'
import { leastCap, sumWith } from '../budgets/budgets.ts'
import { violationOf } from './violation-of.ts'

/** The budget as it stands: whether a spend goes over a cap, and whether the same bytes are held or paid for already. */
type Look = { refusal: Refusal | undefined; standings: readonly Standing[]; hold: Hold }

/** The whole evaluation of an attempt as the wire has it: the enclave's, and the budget's after it. */
export function dryRunDecision(judgement: Judgement, look: Look): PolicyDecision {
  const refusal = judgement.refusal ?? look.refusal ?? null
  return {
    outcome: refusal === null ? 'allowed' : 'rejected',
    ...(refusal === null ? nothingRefused : violationOf(refusal)),
    method: judgement.method,
    effects: judgement.effects.map(({ kind, asset, amount, to }) => ({
      kind,
      asset,
      amount: amount?.toString() ?? null,
      to,
    })),
    checks: [...checksBeforeTotals(judgement), ...totalChecks(judgement.spends, look)].map(
      ({ limit, actual, ...check }) => ({
        ...check,
        limit: limit?.slice(0, textMax) ?? null,
        actual: actual?.slice(0, textMax) ?? null,
      }),
    ),
    spends: judgement.spends.map((spend) => ({
      asset: spend.asset,
      amount: (look.hold === 'none' ? spend.amount : 0n).toString(),
      remaining: remainingOf(spend, look),
    })),
  }
}

/** A decision that came before there was anything to evaluate. */
export const refusedDecision = (refusal: Refusal, method: PolicyDecision['method']): PolicyDecision => ({
  outcome: 'rejected',
  ...violationOf(refusal),
  method,
  effects: [],
  checks: [],
  spends: [],
})

const nothingRefused = { reason: null, layer: null, rule: null, limit: null, actual: null }
const textMax = 8_192

/** The enclave ends with the totals, of this payload alone; where it came so far, the sums say that too. */
function checksBeforeTotals({ refusal, checks, spends }: Judgement): readonly Check[] {
  if (refusal !== null) return checks
  const totals = spends.reduce((sum, { caps }) => sum + caps.length, 0)
  return checks.slice(0, checks.length - totals)
}

/** The sums as they would be, under each cap. */
function totalChecks(spends: readonly Spend[], { standings, hold }: Look): Check[] {
  const checks = spends.flatMap((spend) => {
    const sum = sumWith(spend, standings, hold)
    return spend.caps.map(
      ({ max, rule, layer }): Check => ({
        rule,
        layer,
        limit: max.toString(),
        actual: sum.toString(),
        passed: hold === 'spent' || sum <= max,
      }),
    )
  })
  const isOfOrganization = ({ layer }: Check) => layer === 'organization'
  return [...checks.filter(isOfOrganization), ...checks.filter((check) => !isOfOrganization(check))]
}

function remainingOf(spend: Spend, { standings, hold }: Look): string | null {
  const cap = leastCap(spend)
  if (cap === null) return null
  const left = cap - sumWith(spend, standings, hold)
  return (left > 0n ? left : 0n).toString()
}
