import type { AgentDecoded, AgentEffect } from '@symbolon/networks'
import { chainByHandle, policyChains } from '@symbolon/networks/testing/by-intent'

const from = `0x${'22'.repeat(20)}`
const bare = { asset: null, amount: null, isNative: false, contract: null, selector: null, from } as const

/** Native asset that moves. */
export function native(amount: bigint, to: string | null): AgentEffect {
  return { ...bare, kind: 'transfer', asset: 'ETH', isNative: true, amount, to }
}

/** Native asset that goes along with a call of `to`. */
export function attached(amount: bigint, to: string): AgentEffect {
  return { ...native(amount, to), isAttached: true }
}

/** A token that moves. */
export function token(asset: string, amount: bigint, to: string | null): AgentEffect {
  return { ...bare, kind: 'transfer', asset, amount, to }
}

/** A token that is approved; null is without end. */
export function approval(asset: string, amount: bigint | null, to: string): AgentEffect {
  return { ...bare, kind: 'approval', asset, amount, to }
}

/** A call whose effects are known elsewhere. */
export function call(contract: string, selector: string | null): AgentEffect {
  return { ...bare, kind: 'call', to: contract, contract, selector }
}

/** A payload with these effects on `handle`. */
export function payload(
  effects: readonly AgentEffect[],
  handle = 'base',
  more: Partial<AgentDecoded> = {},
): AgentDecoded {
  const chain = chainByHandle(handle)
  if (!chain) throw new Error(`${handle} is not a chain`)
  const bytes = { payload: Uint8Array.of(1), signed: [], digests: Uint8Array.of(2) }
  return { chain, chains: policyChains(chain), effects, fee: null, trap: null, ...bytes, ...more }
}
