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
 * Whether tokens or contracts are listed at all. A missing list of one layer asks the other, and missing in both is none;
 * but a layer speaks only where all its versions do, so that a later version never gives what the sealed one did not.
 */
export function isListed(layers: Layers, field: 'allowed_tokens' | 'allowed_contracts'): boolean {
  return [layers.agent, layers.session].some(
    (versions) => versions.length > 0 && versions.every((policy) => policy[field] !== null),
  )
}
