import type { Chain } from '../chain.ts'
import type { Action, Effect } from '../effect.ts'
import { ownValue } from '../own-value.ts'
import type { AgentEffect, AgentTrap } from './agent-decoded.ts'
import type { AgentEffects } from './agent-effects.ts'

/** What an action comes to for a policy: effects (none: nobody can lose by it), or why no policy allows it. */
export type ActionReading = readonly AgentEffect[] | AgentTrap

/** How a policy reads the actions of one method: by a function, or never. */
export type MethodRule = AgentTrap | ((action: Action, chain: Chain) => ActionReading)

/** The rule of a method that moves nothing away and gives no rights. */
export const harmless = (): ActionReading => []

/** Reads an action by the row of its method; an action without a row is refused. */
export function readByMethod(
  rules: Readonly<Record<string, MethodRule>>,
  action: Action,
  chain: Chain,
): ActionReading {
  const { method } = action
  const rule = method === null ? undefined : ownValue(rules, method)
  return typeof rule === 'function' ? rule(action, chain) : (rule ?? 'payload_undecodable')
}

/** The effects of all actions in order, and the first trap among them. */
export function readActions<action>(
  actions: readonly action[],
  read: (action: action) => ActionReading,
): Pick<AgentEffects, 'effects' | 'trap'> {
  const effects: AgentEffect[] = []
  let trap: AgentTrap | null = null
  for (const action of actions) {
    const reading = read(action)
    if (typeof reading === 'string') trap ??= reading
    else effects.push(...reading)
  }
  return { effects, trap }
}

/** Value that leaves: a spend of its asset. What has no asset or amount in the bytes cannot be counted. */
export function spent(effect: Effect, { nativeAsset }: Chain): ActionReading {
  const { asset, amount, from, to } = effect
  if (asset === null || amount === null) return 'payload_undecodable'
  const isNative = asset === nativeAsset.symbol
  return [{ kind: 'transfer', asset, amount, from, to, isNative, contract: null, selector: null }]
}

/** `spent` of what goes along with a call of its recipient. */
export function attached(effect: Effect, chain: Chain): ActionReading {
  const reading = spent(effect, chain)
  return typeof reading === 'string' ? reading : reading.map(goingAlong)
}

/** Native value as what goes along with a call of its recipient. */
export function goingAlong(effect: AgentEffect): AgentEffect {
  return effect.isNative ? { ...effect, isAttached: true } : effect
}

/** `spent` of a plain payment, which may be one of nothing to the sender itself. */
export function paid(effect: Effect, chain: Chain): ActionReading {
  const reading = spent(effect, chain)
  if (typeof reading === 'string' || effect.from !== effect.to) return reading
  return reading.map(payingNobody)
}

/** A payment to the sender itself: one of nothing, by which a nonce is voided, pays nobody; any other one counts like all. */
export function payingNobody(effect: AgentEffect): AgentEffect {
  return effect.amount === 0n ? { ...effect, isOwn: true } : effect
}

/** Tokens outside of EVM count in 128 bits: an allowance that no supply comes near to is as good as all. */
const unlimitedMin = 2n ** 120n

/** Value that another may take: a token's, up to an amount. The native asset has no allowances. */
export function allowance(effect: Effect, { nativeAsset }: Chain): ActionReading {
  const { asset, amount, from, to } = effect
  if (asset === null) return 'payload_undecodable'
  if (amount === null || amount >= unlimitedMin || asset === nativeAsset.symbol) return 'approval_not_allowed'
  return [{ kind: 'approval', asset, amount, from, to, isNative: false, contract: null, selector: null }]
}

/** A call of a contract whose effects are unknown: only an allowed contract takes it. */
export function called(from: string, contract: string, selector: string | null = null): AgentEffect {
  return { kind: 'call', asset: null, amount: null, from, to: contract, isNative: false, contract, selector }
}

/** A call whose method nobody reads: the contract has to be allowed, and the method named where policies ask who gets something. */
export function unread(from: string, contract: string, selector: string | null): AgentEffect {
  return { ...called(from, contract, selector), kind: 'unknown' }
}

const adminName =
  /^(?:(?:set|update|change|add|remove|accept|transfer|propose|claim|revoke|renounce)_?(?:new_?)?(?:pending_?)?(?:owner|owners|ownership|admin|authority|authorized|minter|signer|guardian)|upgrade|migrate|clawback)(?:_.*)?$/i

/** Whether a method of a contract is called as those are that change its owner or its code, on networks without known selectors. */
export function isAdminName(method: string): boolean {
  return adminName.test(method)
}
