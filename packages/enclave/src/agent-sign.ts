import type { AgentSignAnswer, ReceivedAgentSign, ReceivedSigningRequest } from '@symbolon/crypto/node'
import type { NonEmpty, SigningDigest } from '@symbolon/networks'
import type { Decision } from '@symbolon/policy'
import { refusalJson } from './decision-json.ts'
import { type EvaluatedRequest, evaluateRequest } from './evaluate-request.ts'
import { openGrantKey } from './grant-envelope.ts'
import { signDigests } from './sign.ts'
import type { Vault } from './vault.ts'

/** `evaluateRequest`; what is allowed is kept for the `agentSign` of the same bytes that follows. */
export function agentEvaluate(vault: Vault, request: ReceivedSigningRequest): Decision {
  const evaluated = evaluateRequest(vault, request)
  const digests = allowedOf(evaluated)
  if (digests && !request.explain) vault.allowed.keep(request.bytes, digests)
  return evaluated.decision
}

/**
 * Evaluates a signing request, unless the very same bytes were evaluated and allowed a moment ago, and signs what was evaluated, as `sign` does, with
 * the data key of the grant, which has to open in any case. What is refused opens no share. Throws what `evaluateRequest` and
 * `signDigests` throw.
 */
export function agentSign(vault: Vault, request: ReceivedAgentSign): AgentSignAnswer {
  const slot = vault.slots.take()
  try {
    let digests = vault.allowed.take(request.bytes)
    if (digests) openGrantKey(vault, request, slot.key)
    else {
      const evaluated = evaluateRequest(vault, request, slot.key)
      if (evaluated.decision.refusal) return { refusal: refusalJson(evaluated.decision.refusal) }
      digests = allowedOf(evaluated)
    }
    if (!digests) throw new Error('A request was allowed that signs nothing.')
    return { signatures: signDigests(vault, digests, { ...request, dataKeyB: slot.key }) }
  } finally {
    vault.slots.give(slot)
  }
}

function allowedOf({ decision, digests }: EvaluatedRequest): NonEmpty<SigningDigest> | undefined {
  const [first, ...others] = digests
  return decision.refusal === null && first ? [first, ...others] : undefined
}
