import { type Bound, strictest } from './bound.ts'
import type { PolicyReason } from './decision.ts'
import { agentFields, organizationFields } from './field-rows.ts'
import { isSet, layeredPolicies } from './layered-policies.ts'
import type { Measure } from './measures.ts'
import type { Layers, PolicyField, Rules } from './policy.ts'

/** The strictest number that layers set for a field with a cap. */
export type FieldCap = Bound & {
  readonly of: Measure
  readonly rule: string
  readonly reason: PolicyReason
}

/**
 * The caps that layers set, in the order in which they are checked: the organization's, then the agent's and the session's. `isFeeCapped`:
 * the agent or the session says how high a fee may be; otherwise the chain's ceiling holds.
 */
export type Caps = {
  readonly transaction: readonly FieldCap[]
  readonly session: readonly FieldCap[]
  readonly isFeeCapped: boolean
}

/** The caps of layers; `rules` are the versions of the organization's. */
export function capsOf(layers: Layers, rules: readonly Rules[]): Caps {
  const policies = layeredPolicies(layers)
  const caps = [
    ...organizationFields.map((row) =>
      capOf(
        row,
        rules.map((one) => ({ layer: 'organization', value: one[row.name] })),
      ),
    ),
    ...agentFields.map((row) =>
      capOf(
        row,
        policies.map(({ layer, policy }) => ({ layer, value: policy[row.name] })),
      ),
    ),
  ].filter((cap) => cap !== null)
  return {
    transaction: caps.filter(({ per }) => per === 'transaction'),
    session: caps.filter(({ per }) => per === 'session'),
    isFeeCapped: isSet(layers, 'max_fee_per_tx_native'),
  }
}

type Given = { readonly layer: Bound['layer']; readonly value: unknown }

function capOf(
  row: PolicyField,
  given: readonly Given[],
): (FieldCap & { per: 'transaction' | 'session' }) | null {
  if (!('cap' in row) || row.cap === null) return null
  const bound = strictest(given.map(({ layer, value }) => ({ layer, max: amountOf(value) })))
  return bound && { ...bound, ...row.cap, rule: row.name, reason: row.reason }
}

const amountOf = (value: unknown): bigint | null =>
  typeof value === 'bigint' || typeof value === 'number' ? BigInt(value) : null
