import type { Decision, Refusal } from '@symbolon/policy'

/** A decision as JSON, amounts as decimal texts. */
export function decisionJson(decision: Decision): string {
  const { value, fee, effects, spends } = decision
  // Written out: a replacer is called for every field of every object.
  return JSON.stringify({
    ...decision,
    value: String(value),
    fee: fee === null ? null : String(fee),
    effects: effects.map((effect) => ({
      ...effect,
      amount: effect.amount === null ? null : String(effect.amount),
    })),
    spends: spends.map(({ caps, amount, fee: ofFee, ...spend }) => ({
      ...spend,
      amount: String(amount),
      ...(ofFee !== undefined && { fee: String(ofFee) }),
      caps: caps.map(({ max, ...cap }) => ({ ...cap, max: String(max) })),
    })),
  })
}

/** A refusal as JSON. */
export const refusalJson = (refusal: Refusal): string => JSON.stringify(refusal)
