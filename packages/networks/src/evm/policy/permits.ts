import type { AgentEffects } from '../../policy/agent-effects.ts'
import { permitEffects } from '../permits.ts'
import type { TypedData } from '../typed-data.ts'
import { isUnlimitedApproval, tokenEffect } from './methods.ts'

/** The approval or transfer that a permit is, or `undefined` for typed data that is none by its exact type. */
export function readPermit(typed: TypedData, contract: string, signer: string): AgentEffects | undefined {
  const effects = permitEffects(typed, contract, signer)?.map(tokenEffect)
  return (
    effects && { effects, fee: null, trap: effects.some(isUnlimitedApproval) ? 'approval_not_allowed' : null }
  )
}
