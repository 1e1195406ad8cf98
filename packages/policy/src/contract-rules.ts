import type { PolicyLayer } from './judgement.ts'
import { isListed, layeredPolicies } from './layered-policies.ts'
import type { AllowedContract, Layers } from './policy.ts'
import { type PolicyNames, placeKey } from './policy-names.ts'

/** The methods of contracts by `placeKey`; null is every method, also a call without a selector. */
export type ContractMethods = ReadonlyMap<string, ReadonlySet<string> | null>

/** Which contracts may be called: the lists of the layers, all of which have to have the contract and its method. */
export type ContractRules = {
  /** The layer to name where there is no list, which is none; null where there is one. */
  readonly unlisted: PolicyLayer | null
  readonly lists: readonly { readonly layer: PolicyLayer; readonly methods: ContractMethods }[]
}

/** The contracts of layers. */
export function contractRules(layers: Layers, names: PolicyNames): ContractRules {
  return {
    unlisted: isListed(layers, 'allowedContracts') ? null : layers.agent.length > 0 ? 'agent' : 'session',
    lists: layeredPolicies(layers).flatMap(({ layer, policy }) =>
      policy.allowedContracts === null ? [] : [{ layer, methods: methodsOf(policy.allowedContracts, names) }],
    ),
  }
}

/** The first layer that does not let a method of a contract be called, or null; `key` is the contract's `placeKey`. */
export function refusingLayer(
  { unlisted, lists }: ContractRules,
  key: string,
  selector: string | null,
): PolicyLayer | null {
  if (unlisted !== null) return unlisted
  const refusing = lists.find(({ methods }) => {
    const allowed = methods.get(key)
    return (
      allowed === undefined ||
      (allowed !== null && (selector === null || !allowed.has(selector.toLowerCase())))
    )
  })
  return refusing?.layer ?? null
}

/** A contract that a list names twice may be called by either entry. */
function methodsOf(contracts: readonly AllowedContract[], names: PolicyNames): ContractMethods {
  const methods = new Map<string, ReadonlySet<string> | null>()
  for (const { chain, address, selectors } of contracts) {
    const key = placeKey(chain, address, names)
    const known = methods.get(key)
    if (selectors === null || known === null) methods.set(key, null)
    else methods.set(key, new Set([...(known ?? []), ...selectors]))
  }
  return methods
}
