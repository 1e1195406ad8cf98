import type { Cap, Check, Decision as Judgement, Refusal, Spend } from '@symbolon/policy'

/** A judgement as the enclave's JSON has it: amounts are decimal texts (packages/enclave/SPEC.md, "Agents"). */
type WireJudgement = Omit<Judgement, 'value' | 'effects' | 'spends'> & {
  readonly value: string
  readonly effects: readonly (Omit<Judgement['effects'][number], 'amount'> & {
    readonly amount: string | null
  })[]
  readonly spends: readonly (Omit<Spend, 'amount' | 'caps'> & {
    readonly amount: string
    readonly caps: readonly (Omit<Cap, 'max'> & { readonly max: string })[]
  })[]
}

/** The judgement of the enclave's JSON; throws on amounts that are none. The enclave is attested, its JSON is not judged again. */
export function judgementFromJson(json: string): Judgement {
  const judgement: WireJudgement = JSON.parse(json)
  return {
    ...judgement,
    value: BigInt(judgement.value),
    effects: judgement.effects.map((effect) => ({
      ...effect,
      amount: effect.amount === null ? null : BigInt(effect.amount),
    })),
    spends: judgement.spends.map((spend) => ({
      ...spend,
      amount: BigInt(spend.amount),
      caps: spend.caps.map((cap) => ({ ...cap, max: BigInt(cap.max) })),
    })),
    checks: judgement.checks satisfies readonly Check[],
  }
}

/** The refusal of the enclave's JSON. */
export function refusalFromJson(json: string): Refusal {
  return JSON.parse(json)
}
