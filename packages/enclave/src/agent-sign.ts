import type { AgentSignAnswer, ReceivedAgentSign } from '@symbolon/crypto/node'
import { judgeAttempt } from './judge-attempt.ts'
import { refusalJson } from './judgement-json.ts'
import { signIntent } from './sign.ts'
import type { Vault } from './vault.ts'

/**
 * Judges an attempt and signs the very intent that was judged, as `sign` does, with the data key of the grant. What is refused opens no
 * share. Throws what `judgeAttempt` and `signIntent` throw.
 */
export function agentSign(vault: Vault, request: ReceivedAgentSign): AgentSignAnswer {
  const slot = vault.slots.take()
  try {
    const { judgement, intent } = judgeAttempt(vault, request, slot.key)
    if (judgement.refusal) return { refusal: refusalJson(judgement.refusal) }
    return { signatures: signIntent(vault, intent, { ...request, dataKeyB: slot.key }) }
  } finally {
    vault.slots.give(slot)
  }
}
