import type { PolicyLayer } from './decision.ts'
import type { Layers, Policy } from './policy.ts'

/** A policy and the layer it is of. */
export type LayeredPolicy = { readonly layer: PolicyLayer; readonly policy: Policy }

/** The agent's policies, then the session's: of equal limits the first is named. */
export function layeredPolicies({ agent, session }: Layers): readonly LayeredPolicy[] {
  return [
    ...agent.map((policy) => ({ layer: 'agent', policy }) as const),
    ...session.map((policy) => ({ layer: 'session', policy }) as const),
  ]
}

/**
 * Whether the agent or the session sets a field whose absence in both means less than its presence may: no tokens, no contracts,
 * no sign-ins, the chain's fee ceiling. A layer speaks only where all its versions do, so that a later version never gives what the sealed one did not.
 */
export function isSet(
  layers: Layers,
  field: 'allowed_tokens' | 'allowed_contracts' | 'allowed_sign_in_domains' | 'max_fee_per_tx_native',
): boolean {
  return [layers.agent, layers.session].some(
    (versions) => versions.length > 0 && versions.every((policy) => policy[field] !== null),
  )
}
