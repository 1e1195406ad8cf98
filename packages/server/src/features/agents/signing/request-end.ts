import { ApiError, type ErrorCode } from '@symbolon/api'
import { NetworkError } from '@symbolon/networks'
import type { Refusal } from '@symbolon/policy'
import { isDatabaseUnavailable } from '../../../db/pool.ts'
import { EnclaveError } from '../../../ports/enclave.ts'
import { KmsError } from '../../../ports/kms.ts'
import type { Failure } from '../../../runtime/failure.ts'
import { type PolicyVersions, refusalMessage, violationOf, walletArchived } from '../../spending/index.ts'
import { type DecisionRecord, decisionRecord, type RequestFacts } from './decision-record.ts'
import type { Decisions } from './decisions.ts'
import type { SigningRequest } from './signing-request.ts'

/** The errors of every request for a signature. */
export type RequestCode =
  | 'invalid_request'
  | 'invalid_payload'
  | 'chain_unsupported'
  | 'policy_violation'
  | 'state_rolled_back'
  | 'token_revoked'
  | 'token_expired'
  | 'unavailable'

/** The failure of a request for a signature, its one event recorded. */
export type RequestError<code extends ErrorCode = never> = Failure<RequestCode | code>

/**
 * Why a request gets no signature, before that is recorded. With `under`, a refusal counts only while those versions apply; `thrown` is an
 * exception of a decoder, the enclave or the database.
 */
export type RequestEnd<code extends ErrorCode = never> =
  | { kind: 'refused'; refusal: Refusal; facts?: RequestFacts; under?: PolicyVersions }
  | { kind: 'session_over'; state: 'revoked' | 'expired'; facts?: RequestFacts }
  | { kind: 'run_over'; facts?: RequestFacts }
  | ({ kind: 'failed'; facts?: RequestFacts } & Omit<RequestError<code>, 'kind'>)
  | { kind: 'thrown'; error: unknown; facts?: RequestFacts }

/**
 * Writes the request's one event and returns its error. `stale`: a refusal was made under rules or a policy that have changed since;
 * nothing is written, and the request is to be evaluated again. Throws what should not happen, after it is recorded.
 */
export async function recordEnd<code extends ErrorCode>(
  decisions: Decisions,
  request: SigningRequest,
  end: RequestEnd<code>,
): Promise<RequestError<code> | 'stale'> {
  switch (end.kind) {
    case 'refused':
      return recordRefusal(decisions, request, end)
    case 'session_over': {
      const code = overCodes[end.state]
      await decisions.commit(decisionRecord(request, rejected(`session_${end.state}`, 'session', code, end)))
      return { kind: 'error', code }
    }
    case 'run_over':
      // It was canceled, or ran out of time: nobody waits for the answer any more.
      await decisions.commit(decisionRecord(request, rejected('run_ended', null, 'run_ended', end)))
      return { kind: 'error', code: 'unavailable', message: 'The run has ended.' }
    case 'failed': {
      const { kind: _, facts, ...error } = end
      await decisions.commit(decisionRecord(request, failed(error.code, facts)))
      return { kind: 'error', ...error }
    }
    case 'thrown': {
      const { error, facts } = end
      if (error instanceof EnclaveError && error.code === 'expired')
        return recordEnd(decisions, request, {
          kind: 'session_over',
          state: 'expired',
          ...(facts && { facts }),
        })
      const known = requestErrorOf(error)
      const code = known?.code ?? (error instanceof ApiError ? error.code : 'internal')
      await decisions.commit(decisionRecord(request, failed(code, facts)))
      if (known === undefined) throw error
      return known
    }
  }
}

/** `recordEnd` of an end without versions, which cannot be stale. */
export async function recordFinal<code extends ErrorCode>(
  decisions: Decisions,
  request: SigningRequest,
  end: RequestEnd<code>,
): Promise<RequestError<code>> {
  const recorded = await recordEnd(decisions, request, end)
  if (recorded === 'stale') throw new Error('An end without versions cannot be stale.')
  return recorded
}

async function recordRefusal(
  decisions: Decisions,
  request: SigningRequest,
  { refusal, facts, under }: Extract<RequestEnd, { kind: 'refused' }>,
): Promise<RequestError | 'stale'> {
  const broken = await decisions.commit(
    decisionRecord(request, {
      ...rejected(refusal.reason, refusal.layer, 'policy_violation', { facts }),
      ...(under && { guard: { ...versionsOf(under), digest: null } }),
    }),
  )
  if (broken === 'stale') return 'stale'
  const of = facts === undefined ? {} : { facts }
  // Session and wallet go before everything else that is evaluated.
  if (broken === 'revoked' || broken === 'expired')
    return recordEnd(decisions, request, { kind: 'session_over', state: broken, ...of })
  if (broken === 'wallet_archived')
    return recordEnd(decisions, request, { kind: 'refused', refusal: walletArchived, ...of })
  const { chain, isChainAssumed = false } = request
  const message = refusalMessage(refusal, isChainAssumed && chain !== null ? { assumedChain: chain } : {})
  return { kind: 'error', code: 'policy_violation', message, details: violationOf(refusal) }
}

/** The code of a session that is over. */
export const overCodes = { revoked: 'token_revoked', expired: 'token_expired' } as const

/** The error of an exception of a decoder, the enclave or the database; undefined for one that should not happen. */
export function requestErrorOf(error: unknown): RequestError | undefined {
  if (error instanceof NetworkError) {
    // Only a request without a chain has a wrong curve: see `readySignature`.
    const code = error.code === 'invalid_curve' ? 'invalid_request' : error.code
    return { kind: 'error', code, message: error.message, cause: error }
  }
  const isKmsAway = error instanceof KmsError && error.code === 'unavailable'
  if (isKmsAway || isDatabaseUnavailable(error)) return { kind: 'error', code: 'unavailable', cause: error }
  if (!(error instanceof EnclaveError)) return undefined
  switch (error.code) {
    case 'expired':
      return { kind: 'error', code: 'token_expired', cause: error }
    case 'invalid_payload':
    case 'unavailable':
      return { kind: 'error', code: error.code, cause: error }
    case 'state_rolled_back':
      return { kind: 'error', code: error.code, details: { what: error.rolledBack }, cause: error }
    default:
      return undefined
  }
}

type End = Parameters<typeof decisionRecord>[1]

const rejected = (
  reason: string,
  layer: DecisionRecord['layer'],
  errorCode: string,
  { facts }: { facts?: RequestFacts | undefined },
): End => ({ outcome: 'rejected', reason, layer, errorCode, facts })

const failed = (code: string, facts: RequestFacts | undefined): End => ({
  outcome: 'error',
  reason: code,
  layer: null,
  errorCode: code,
  facts,
})

const versionsOf = ({ policyVersion, rulesVersion, agentVersion }: PolicyVersions): PolicyVersions => ({
  policyVersion,
  rulesVersion,
  agentVersion,
})
