import type { Chain } from '@symbolon/networks'
import { type Bound, strictest } from './bound.ts'
import type { PolicyReason } from './decision.ts'
import { agentFields, organizationFields } from './field-rows.ts'
import { isSet, layeredPolicies } from './layered-policies.ts'
import type { Measure } from './measures.ts'
import type { AssetCap, Layers, PolicyField, Rules } from './policy.ts'

/** The strictest number that layers set for a field with a cap. */
export type FieldCap = Bound & {
  readonly of: Measure
  readonly rule: string
  readonly reason: PolicyReason
  /** The native asset that it is on; missing: each of them. */
  readonly asset?: string
}

/** Whether a cap is on what a chain's native asset is. */
export const isCapOn = ({ asset }: FieldCap, { nativeAsset }: Pick<Chain, 'nativeAsset'>): boolean =>
  asset === undefined || asset === nativeAsset.symbol

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
    ...organizationFields.flatMap((row) =>
      capsOfField(
        row,
        rules.map((one) => ({ layer: 'organization', value: one[row.name] })),
      ),
    ),
    ...agentFields.flatMap((row) =>
      capsOfField(
        row,
        policies.map(({ layer, policy }) => ({ layer, value: policy[row.name] })),
      ),
    ),
  ]
  return {
    transaction: caps.filter(({ per }) => per === 'transaction'),
    session: caps.filter(({ per }) => per === 'session'),
    isFeeCapped: isSet(layers, 'max_fee_per_tx_native'),
  }
}

type Given = { readonly layer: Bound['layer']; readonly value: unknown }

type PerCap = FieldCap & { per: 'transaction' | 'session' }

function capsOfField(row: PolicyField, given: readonly Given[]): readonly PerCap[] {
  if (!('cap' in row) || row.cap === null) return []
  const about = { ...row.cap, rule: row.name, reason: row.reason }
  if (row.kind !== 'asset-caps') {
    const bound = strictest(given.map(({ layer, value }) => ({ layer, max: amountOf(value) })))
    return bound === null ? [] : [{ ...bound, ...about }]
  }
  const caps = given.flatMap(({ layer, value }) =>
    ((value ?? []) as readonly AssetCap[]).map((cap) => ({ ...cap, layer })),
  )
  return [...new Set(caps.map(({ asset }) => asset))].flatMap((asset) => {
    const bound = strictest(caps.filter((cap) => cap.asset === asset))
    return bound === null ? [] : [{ max: bound.max, layer: bound.layer, ...about, asset }]
  })
}

const amountOf = (value: unknown): bigint | null =>
  typeof value === 'bigint' || typeof value === 'number' ? BigInt(value) : null
