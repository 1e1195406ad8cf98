import type { AgentSignAnswer, ReceivedAgentSign, ReceivedAttempt } from '@symbolon/crypto/node'
import type { NonEmpty, SigningDigest } from '@symbolon/networks'
import type { Decision } from '@symbolon/policy'
import { openGrantKey } from './grant-envelope.ts'
import { type JudgedAttempt, judgeAttempt } from './judge-attempt.ts'
import { refusalJson } from './judgement-json.ts'
import { signDigests } from './sign.ts'
import type { Vault } from './vault.ts'

/** `judgeAttempt`; what is allowed is kept for the `agentSign` of the same bytes that follows. */
export function agentJudge(vault: Vault, request: ReceivedAttempt): Decision {
  const judged = judgeAttempt(vault, request)
  const digests = allowedOf(judged)
  if (digests && !request.explain) vault.allowed.keep(request.bytes, digests)
  return judged.judgement
}

/**
 * Judges an attempt, unless the very same bytes were judged and allowed a moment ago, and signs what was judged, as `sign` does, with
 * the data key of the grant, which has to open in any case. What is refused opens no share. Throws what `judgeAttempt` and
 * `signDigests` throw.
 */
export function agentSign(vault: Vault, request: ReceivedAgentSign): AgentSignAnswer {
  const slot = vault.slots.take()
  try {
    let digests = vault.allowed.take(request.bytes)
    if (digests) openGrantKey(vault, request, slot.key)
    else {
      const judged = judgeAttempt(vault, request, slot.key)
      if (judged.judgement.refusal) return { refusal: refusalJson(judged.judgement.refusal) }
      digests = allowedOf(judged)
    }
    if (!digests) throw new Error('An attempt was allowed that signs nothing.')
    return { signatures: signDigests(vault, digests, { ...request, dataKeyB: slot.key }) }
  } finally {
    vault.slots.give(slot)
  }
}

function allowedOf({ judgement, digests }: JudgedAttempt): NonEmpty<SigningDigest> | undefined {
  const [first, ...others] = digests
  return judgement.refusal === null && first ? [first, ...others] : undefined
}
