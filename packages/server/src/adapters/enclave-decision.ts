import type { Cap, Check, Decision, Refusal, Spend } from '@symbolon/policy'

/** A decision as the enclave's JSON has it: amounts are decimal texts (packages/enclave/SPEC.md, "Agents"). */
type WireDecision = Omit<Decision, 'value' | 'fee' | 'effects' | 'spends'> & {
  readonly value: string
  readonly fee: string | null
  readonly effects: readonly (Omit<Decision['effects'][number], 'amount'> & {
    readonly amount: string | null
  })[]
  readonly spends: readonly (Omit<Spend, 'amount' | 'fee' | 'caps'> & {
    readonly amount: string
    readonly fee?: string
    readonly caps: readonly (Omit<Cap, 'max'> & { readonly max: string })[]
  })[]
}

/** The decision of the enclave's JSON; throws on amounts that are none. The enclave is attested, its JSON is not checked again. */
export function decisionFromJson(json: string): Decision {
  const decision: WireDecision = JSON.parse(json)
  return {
    ...decision,
    value: BigInt(decision.value),
    fee: decision.fee === null ? null : BigInt(decision.fee),
    effects: decision.effects.map((effect) => ({
      ...effect,
      amount: effect.amount === null ? null : BigInt(effect.amount),
    })),
    spends: decision.spends.map(({ fee, ...spend }) => ({
      ...spend,
      amount: BigInt(spend.amount),
      ...(fee !== undefined && { fee: BigInt(fee) }),
      caps: spend.caps.map((cap) => ({ ...cap, max: BigInt(cap.max) })),
    })),
    checks: decision.checks satisfies readonly Check[],
  }
}

/** The refusal of the enclave's JSON. */
export function refusalFromJson(json: string): Refusal {
  return JSON.parse(json)
}
