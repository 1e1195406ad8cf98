import { ApiError, type ErrorCode, type Fail } from '@symbolon/api'
import { NetworkError } from '@symbolon/networks'
import type { Refusal } from '@symbolon/policy'
import { isDatabaseUnavailable } from '../../../db/pool.ts'
import { EnclaveError } from '../../../ports/enclave.ts'
import { KmsError } from '../../../ports/kms.ts'
import { type PolicyVersions, refusalMessage, violationOf, walletArchived } from '../../spending/index.ts'
import { type AgentAttempt, decisionOn } from './agent-attempt.ts'
import type { AttemptFacts } from './agent-decision.ts'
import type { Decisions } from './decisions.ts'

/** The errors of every attempt to sign. */
export type AttemptErrors =
  | 'invalid_request'
  | 'invalid_payload'
  | 'chain_unsupported'
  | 'policy_violation'
  | 'token_revoked'
  | 'token_expired'
  | 'unavailable'

/** Ends of attempts without a signature: each writes the attempt's one event, and answers the error to throw. */
export type AttemptEnds = ReturnType<typeof attemptEnds>

/** Makes the ends. */
export function attemptEnds(decisions: Decisions) {
  /** The attempt failed; nothing was judged, or nothing that matters. */
  async function failed<code extends ErrorCode>(
    attempt: AgentAttempt,
    code: code,
    fail: Fail<code>,
    options: { message?: string; details?: unknown; facts?: AttemptFacts; cause?: unknown } = {},
  ) {
    const { facts, ...rest } = options
    await decisions.commit(
      decisionOn(attempt, {
        outcome: 'error',
        reason: code,
        layer: null,
        errorCode: code,
        ...(facts && { facts }),
      }),
    )
    return fail(code, rest)
  }

  /** The session is over. */
  async function ended(
    attempt: AgentAttempt,
    state: 'revoked' | 'expired',
    fail: Fail<'token_revoked' | 'token_expired'>,
    facts?: AttemptFacts,
  ) {
    const code = state === 'revoked' ? 'token_revoked' : 'token_expired'
    await decisions.commit(
      decisionOn(attempt, {
        outcome: 'rejected',
        reason: `session_${state}`,
        layer: 'session',
        errorCode: code,
        ...(facts && { facts }),
      }),
    )
    return fail(code)
  }

  /**
   * The policy refuses. With `under`, what it was judged under has to be so still: otherwise the answer is `stale`, nothing is
   * written, and the attempt is to be judged again.
   */
  async function refused(
    attempt: AgentAttempt,
    refusal: Refusal,
    fail: Fail<'policy_violation' | 'token_revoked' | 'token_expired'>,
    { facts, under }: { facts?: AttemptFacts; under?: PolicyVersions } = {},
  ): Promise<Error | 'stale'> {
    const broken = await decisions.commit(
      decisionOn(attempt, {
        outcome: 'rejected',
        reason: refusal.reason,
        layer: refusal.layer,
        errorCode: 'policy_violation',
        ...(facts && { facts }),
        ...(under && { guard: { ...underOf(under), digest: null } }),
      }),
    )
    if (broken === 'stale') return 'stale'
    // Session and wallet go before everything else that is judged.
    if (broken === 'revoked' || broken === 'expired') return ended(attempt, broken, fail, facts)
    if (broken === 'wallet_archived')
      return refused(attempt, walletArchived, fail, { ...(facts && { facts }) })
    const { chain, isChainAssumed = false } = attempt
    const message = refusalMessage(refusal, isChainAssumed && chain !== null ? { assumedChain: chain } : {})
    return fail('policy_violation', { message, details: violationOf(refusal) })
  }

  /** The run that asks has ended: it was canceled, or ran out of time. Nobody waits for the answer any more. */
  async function runEnded(attempt: AgentAttempt, fail: Fail<'unavailable'>, facts?: AttemptFacts) {
    await decisions.commit(
      decisionOn(attempt, {
        outcome: 'rejected',
        reason: 'run_ended',
        layer: null,
        errorCode: 'run_ended',
        ...(facts && { facts }),
      }),
    )
    return fail('unavailable', { message: 'The run has ended.' })
  }

  return {
    failed,
    ended,
    refused,
    runEnded,

    /** What a decoder, the enclave or the database threw before the attempt was decided; answers what to throw. */
    async thrown(
      attempt: AgentAttempt,
      error: unknown,
      fail: Fail<AttemptErrors>,
      facts?: AttemptFacts,
    ): Promise<unknown> {
      if (error instanceof EnclaveError && error.code === 'expired')
        return ended(attempt, 'expired', fail, facts)
      const answer = errorOf(error, fail)
      const code = answer instanceof ApiError ? answer.code : 'internal'
      await decisions.commit(
        decisionOn(attempt, {
          outcome: 'error',
          reason: code,
          layer: null,
          errorCode: code,
          ...(facts && { facts }),
        }),
      )
      return answer
    },
  }
}

/** The answer to what a decoder, the enclave or the database threw; what should not happen stays what it is. */
export function errorOf(error: unknown, fail: Fail<AttemptErrors>): unknown {
  if (error instanceof NetworkError) {
    // Only a request without a chain has a wrong curve: see agentSigning.
    const code = error.code === 'invalid_curve' ? 'invalid_request' : error.code
    return fail(code, { message: error.message, cause: error })
  }
  const isKmsAway = error instanceof KmsError && error.code === 'unavailable'
  if (isKmsAway || isDatabaseUnavailable(error)) return fail('unavailable', { cause: error })
  if (!(error instanceof EnclaveError)) return error
  switch (error.code) {
    case 'expired':
      return fail('token_expired', { cause: error })
    case 'invalid_payload':
    case 'unavailable':
      return fail(error.code, { cause: error })
    default:
      return error
  }
}

const underOf = ({ policyVersion, rulesVersion, agentVersion }: PolicyVersions): PolicyVersions => ({
  policyVersion,
  rulesVersion,
  agentVersion,
})
