import type { AgentEffect } from '@symbolon/networks'
import type { PolicyLayer } from './decision.ts'
import { isSet, layeredPolicies } from './layered-policies.ts'
import type { AllowedContract, Layers } from './policy.ts'
import { type PolicyNames, placeKey } from './policy-names.ts'
import { type TokenRules, tokenStatus } from './token-rules.ts'

/** The methods of a contract; `selectors` null is every method, also a call without a selector. */
type Methods = Pick<AllowedContract, 'onlyKnown'> & { readonly selectors: ReadonlySet<string> | null }

/** Which contracts may be called: the lists of the layers, all of which have to have the contract and its method. */
export type ContractRules = {
  /** The layer to name where there is no list, which is none; null where there is one. */
  readonly unlisted: PolicyLayer | null
  readonly lists: readonly { readonly layer: PolicyLayer; readonly methods: ReadonlyMap<string, Methods> }[]
}

/** The contracts of layers. */
export function contractRules(layers: Layers, names: PolicyNames): ContractRules {
  return {
    unlisted: isSet(layers, 'allowed_contracts') ? null : layers.agent.length > 0 ? 'agent' : 'session',
    lists: layeredPolicies(layers).flatMap(({ layer, policy }) =>
      policy.allowed_contracts === null
        ? []
        : [{ layer, methods: methodsOf(policy.allowed_contracts, names) }],
    ),
  }
}

/** Who does not let a call be made, and by what. */
export type ContractRefusal = {
  readonly layer: PolicyLayer
  readonly rule: 'allowed_contracts' | 'allowed_contracts.selectors'
}

/**
 * The first layer that does not let a call be made, or null; `key` is the contract's `placeKey`. A contract that is also a listed token
 * could move it by a method that no decoder knows: such a method has to be named, by every list. A token that some layer lists and that may
 * not be spent is not called at all.
 */
export function contractRefusal(
  { contracts: { unlisted, lists }, tokens }: { contracts: ContractRules; tokens: TokenRules },
  key: string,
  { kind, selector }: Pick<AgentEffect, 'kind' | 'selector'>,
): ContractRefusal | null {
  if (unlisted !== null) return { layer: unlisted, rule: 'allowed_contracts' }
  const refusing = lists.find(({ methods }) => !isAmong(methods.get(key), selector))
  if (refusing !== undefined) return { layer: refusing.layer, rule: 'allowed_contracts' }
  const status = tokenStatus(tokens, key)
  if (typeof status === 'object') return { layer: status.refused, rule: 'allowed_contracts' }
  if (status === 'other' || kind !== 'unknown') return null
  const unnamed = lists.find(({ methods }) => !isNamed(methods.get(key)))
  return unnamed === undefined ? null : { layer: unnamed.layer, rule: 'allowed_contracts.selectors' }
}

function isAmong(methods: Methods | undefined, selector: string | null): boolean {
  if (methods === undefined || methods.selectors === null) return methods !== undefined
  return selector !== null && methods.selectors.has(selector.toLowerCase())
}

function isNamed(methods: Methods | undefined): boolean {
  return methods !== undefined && methods.selectors !== null && methods.onlyKnown === undefined
}

/** A contract that a list names twice may be called by either entry. */
function methodsOf(contracts: readonly AllowedContract[], names: PolicyNames): ReadonlyMap<string, Methods> {
  const methods = new Map<string, Methods>()
  for (const { chain, address, selectors, onlyKnown } of contracts) {
    const key = placeKey(chain, address, names)
    const known = methods.get(key)
    const isOpen = selectors === null || known?.selectors === null
    methods.set(key, {
      selectors: isOpen ? null : new Set([...(known?.selectors ?? []), ...selectors]),
      ...((onlyKnown || known?.onlyKnown) && { onlyKnown: true }),
    })
  }
  return methods
}
