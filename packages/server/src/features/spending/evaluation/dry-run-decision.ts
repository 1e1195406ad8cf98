import type { PolicyDecision } from '@symbolon/api'
import type { Check, Decision, Refusal, Spend } from '@symbolon/policy'
import type { BudgetCheck } from '../budgets/budgets.ts'
import { lowestCap, sumWith } from '../budgets/session-counters.ts'
import { violationOf } from './violation-of.ts'

/** The whole evaluation of a request as the wire has it: the enclave's decision, then the budget's. */
export function dryRunDecision(decision: Decision, budget: BudgetCheck): PolicyDecision {
  const refusal = decision.refusal ?? budget.refusal ?? null
  return {
    outcome: refusal === null ? 'allowed' : 'rejected',
    ...(refusal === null ? nothingRefused : ruleOf(refusal)),
    method: decision.method,
    effects: decision.effects.map(({ kind, asset, amount, to }) => ({
      kind,
      asset,
      amount: amount?.toString() ?? null,
      to,
    })),
    checks: [...checksBeforeTotals(decision), ...totalChecks(decision.spends, budget)].map(
      ({ limit, actual, ...check }) => ({
        ...check,
        limit: limit?.slice(0, textMax) ?? null,
        actual: actual?.slice(0, textMax) ?? null,
      }),
    ),
    spends: decision.spends.map((spend) => ({
      asset: spend.asset,
      amount: (budget.reservation === 'none' ? spend.amount : 0n).toString(),
      remaining: remainingOf(spend, budget),
    })),
  }
}

/** A refusal before there was anything to evaluate. */
export const refusedDecision = (refusal: Refusal, method: PolicyDecision['method']): PolicyDecision => ({
  outcome: 'rejected',
  ...ruleOf(refusal),
  method,
  effects: [],
  checks: [],
  spends: [],
})

function ruleOf(refusal: Refusal) {
  const { value: _value, fee: _fee, ...rule } = violationOf(refusal)
  return rule
}

const nothingRefused = { reason: null, layer: null, rule: null, limit: null, actual: null }
const textMax = 8_192

/** The enclave's last checks are the totals of this payload alone, if it got that far: the sums say that too. */
function checksBeforeTotals({ refusal, checks, spends }: Decision): readonly Check[] {
  if (refusal !== null) return checks
  const totals = spends.reduce((sum, { caps }) => sum + caps.length, 0)
  return checks.slice(0, checks.length - totals)
}

/** The sums as they would be, under each cap. */
function totalChecks(spends: readonly Spend[], { counters, reservation }: BudgetCheck): Check[] {
  const checks = spends.flatMap((spend) => {
    const sum = sumWith(spend, counters, reservation !== 'none')
    return spend.caps.map(
      ({ max, rule, layer }): Check => ({
        rule,
        layer,
        limit: max.toString(),
        actual: sum.toString(),
        passed: reservation === 'spent' || sum <= max,
      }),
    )
  })
  const isOfOrganization = ({ layer }: Check) => layer === 'organization'
  return [...checks.filter(isOfOrganization), ...checks.filter((check) => !isOfOrganization(check))]
}

function remainingOf(spend: Spend, { counters, reservation }: BudgetCheck): string | null {
  const cap = lowestCap(spend)
  if (cap === null) return null
  const left = cap - sumWith(spend, counters, reservation !== 'none')
  return (left > 0n ? left : 0n).toString()
}
