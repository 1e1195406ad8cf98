import type {
  AgentReceiptAnswer,
  AgentSignAnswer,
  ReceivedAgentReceipt,
  ReceivedAgentSign,
  ReceivedSigningRequest,
} from '@symbolon/crypto/node'
import type { Decision } from '@symbolon/policy'
import { agentBudget, agentDecision, agentEffects, spentBeforeOf } from './agent-receipt.ts'
import type { Allowed } from './allowed-requests.ts'
import { refusalJson } from './decision-json.ts'
import { assertRunning, type EvaluatedRequest, evaluateRequest } from './evaluate-request.ts'
import { openGrantKey } from './grant-envelope.ts'
import type { ReceiptIssuer } from './receipt-issuer.ts'
import { receiptFacts } from './receipt-of.ts'
import { organizationOf, payloadOf, signDigests } from './sign.ts'
import type { Vault, WalletShares } from './vault.ts'

/** `evaluateRequest`; what is allowed is kept for the `agentSign` of the same bytes that follows. */
export function agentEvaluate(vault: Vault, request: ReceivedSigningRequest): Decision {
  const evaluated = evaluateRequest(vault, request)
  const allowed = allowedOf(evaluated)
  if (allowed && !request.explain) vault.allowed.keep(request.bytes, allowed)
  return evaluated.decision
}

/**
 * Evaluates a signing request, unless the very same bytes were evaluated and allowed a moment ago, and signs what was evaluated, as `sign` does, with
 * the data key of the grant, which has to open in any case. What is refused opens no share. Throws what `evaluateRequest`, `signDigests` and the
 * marks throw.
 */
export function agentSign(vault: Vault, request: ReceivedAgentSign): AgentSignAnswer {
  return signAllowed(vault, request, ({ digests }, shares) => ({
    signatures: signDigests(vault, digests, shares),
  }))
}

/** `agentSign` with a receipt, whose effects are decoded from the same bytes once more: `evaluate` keeps none. */
export function agentSignWithReceipt(
  vault: Vault,
  receipts: ReceiptIssuer,
  request: ReceivedAgentReceipt,
): AgentReceiptAnswer {
  const organization = organizationOf(request)
  receipts.assertCountable(organization)
  const spentBefore = spentBeforeOf(request.spentBefore)
  return signAllowed(vault, request, ({ digests, spends }, shares) => {
    const payload = payloadOf(vault, request)
    const shown = agentEffects(payload, request.operation)
    const signatures = signDigests(vault, digests, shares)
    const decision = agentDecision(request)
    const signed = { payload, digests, signatures, shown, decision, budget: agentBudget(spends, spentBefore) }
    return { signatures, receipt: receipts.issue(organization, receiptFacts(vault, request, signed)) }
  })
}

function signAllowed<answer>(
  vault: Vault,
  request: ReceivedAgentSign,
  signWith: (allowed: Allowed, shares: WalletShares) => answer,
): answer | { refusal: string } {
  const slot = vault.slots.take()
  try {
    let allowed = vault.allowed.take(request.bytes)
    if (allowed) {
      openGrantKey(vault, request, slot.key)
      // Others may have changed since it was evaluated, and time has passed.
      vault.marks.see(request, allowed.endsAtMs)
      vault.marks.assertActive(request.row)
      assertRunning(vault, request, allowed.expiresAtMs)
    } else {
      const evaluated = evaluateRequest(vault, request, slot.key)
      if (evaluated.decision.refusal) return { refusal: refusalJson(evaluated.decision.refusal) }
      allowed = allowedOf(evaluated)
    }
    if (!allowed) throw new Error('A request was allowed that signs nothing.')
    const count = vault.marks.assertFits(request, allowed)
    const answer = signWith(allowed, { ...request, dataKeyB: slot.key })
    count()
    return answer
  } finally {
    vault.slots.give(slot)
  }
}

function allowedOf({ decision, digests, endsAtMs, expiresAtMs }: EvaluatedRequest): Allowed | undefined {
  const [first, ...others] = digests
  if (decision.refusal !== null || !first) return undefined
  const { spends, digestSha256 } = decision
  return { digests: [first, ...others], spends, digestSha256, endsAtMs, expiresAtMs }
}
