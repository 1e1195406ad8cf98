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

/** A call of a contract, by its method. */
type CalledMethod = Pick<AgentEffect, 'kind' | 'selector' | 'selectors' | 'mustBeNamed'>

/** Who does not let a call be made, and by what. */
export type ContractRefusal = {
  readonly layer: PolicyLayer
  readonly rule: 'allowed_contracts' | 'allowed_contracts.selectors'
}

/**
 * The first layer that does not let a call be made, or null; `key` is the contract's `placeKey`. A contract that is also a listed token
 * could move it by a method that no decoder knows: such a method has to be named, by every list. A token that some layer lists and that may
 * not be spent is not called at all. Some networks' calls have to be named wherever they go.
 */
export function contractRefusal(
  { contracts: { unlisted, lists }, tokens }: { contracts: ContractRules; tokens: TokenRules },
  key: string,
  effect: CalledMethod,
): ContractRefusal | null {
  if (unlisted !== null) return { layer: unlisted, rule: 'allowed_contracts' }
  const refusing = lists.find(({ methods }) => !isAmong(methods.get(key), effect))
  if (refusing !== undefined) return { layer: refusing.layer, rule: 'allowed_contracts' }
  const status = tokenStatus(tokens, key)
  if (typeof status === 'object') return { layer: status.refused, rule: 'allowed_contracts' }
  const mustBeNamed = effect.mustBeNamed === true || (status !== 'other' && effect.kind === 'unknown')
  const unnamed = mustBeNamed ? unnamedBy(lists, key) : null
  return unnamed === null ? null : { layer: unnamed, rule: 'allowed_contracts.selectors' }
}

/** The first layer whose list has a contract without naming its methods, or null; `key` is the contract's `placeKey`. */
export function unnamedBy(lists: ContractRules['lists'], key: string): PolicyLayer | null {
  return lists.find(({ methods }) => !isNamed(methods.get(key)))?.layer ?? null
}

function isAmong(methods: Methods | undefined, { selector, selectors = [] }: CalledMethod): boolean {
  const named = methods?.selectors
  if (methods === undefined || named === null || named === undefined) return methods !== undefined
  return [selector, ...selectors].some((each) => each !== null && named.has(canonical(each)))
}

/** Hex has no case, names of methods have one. */
const canonical = (selector: string) => (/^0x/i.test(selector) ? selector.toLowerCase() : selector)

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
