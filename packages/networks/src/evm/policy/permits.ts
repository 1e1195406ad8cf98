import type { AgentEffects } from '../../policy/agent-effects.ts'
import { permitEffects } from '../permits.ts'
import type { TypedData } from '../typed-data.ts'
import { isUnlimitedApproval, tokenEffect } from './methods.ts'
import { witnessReceivers } from './witness-receivers.ts'

/**
 * The approval or transfer that a permit is, and, of nothing, a transfer to everybody whom its witness makes a receiver; `undefined` for typed
 * data that is no permit by its exact type.
 */
export function readPermit(typed: TypedData, contract: string, signer: string): AgentEffects | undefined {
  const permitted = permitEffects(typed, contract, signer)
  if (permitted === undefined) return undefined
  const received = permitted
    .slice(0, 1)
    .flatMap(({ asset, from }) =>
      [...witnessReceivers(typed)]
        .filter((to) => to !== signer)
        .map((to) => ({ kind: 'transfer', asset, amount: 0n, from, to }) as const),
    )
  const effects = [...permitted, ...received].map(tokenEffect)
  return { effects, fee: null, trap: effects.some(isUnlimitedApproval) ? 'approval_not_allowed' : null }
}
