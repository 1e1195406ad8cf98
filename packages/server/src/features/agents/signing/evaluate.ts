import type { Decision } from '@symbolon/policy'
import { EnclaveError } from '../../../ports/enclave.ts'
import { retry } from '../../../runtime/retry.ts'
import { tellEnclave } from '../../custody/index.ts'
import { checkBudget, walletArchived } from '../../spending/index.ts'
import { factsOf } from './decision-record.ts'
import { type EnclaveQuestion, enclaveQuestion } from './enclave-question.ts'
import { type RequestEnd, type RequestError, recordEnd, recordFinal } from './request-end.ts'
import type { SigningCtx } from './signing-ctx.ts'
import type { SigningPayload, SigningRequest } from './signing-request.ts'
import type { SigningSession } from './signing-sessions.store.ts'

/** The enclave's decision on a payload under a session's policy, and the question it was asked. */
export type Evaluated = {
  kind: 'evaluated'
  session: SigningSession
  question: EnclaveQuestion
  decision: Decision
}

/** The limit of tries per signature: a request whose rules keep changing fails. */
export const attemptsMax = 8

/** Has the enclave evaluate a payload; `isFresh`: under the session as it is now, not as it was a moment ago. */
export async function evaluate(
  ctx: SigningCtx,
  request: SigningRequest,
  payload: SigningPayload,
  { isFresh, explain = false }: { isFresh: boolean; explain?: boolean },
): Promise<Evaluated | Extract<RequestEnd, { kind: 'session_over' | 'refused' }>> {
  const { enclave, sessions } = ctx.signer
  const { id } = request.actor.session
  const session = await (isFresh ? sessions.loadFresh(id) : sessions.load(id))
  if (session === undefined) throw new Error('An authenticated session is missing.')
  if (session.grant === null) return { kind: 'session_over', state: 'revoked' }
  const question = enclaveQuestion(request, payload, session, session.grant)
  try {
    const decision = await enclave.evaluate({ ...question, ...(explain && { explain }) })
    return { kind: 'evaluated', session, question, decision }
  } catch (error) {
    if (!(await isOvertaken(ctx, session, error))) throw error
    if (await ctx.signer.wallets.isArchived(session.walletId))
      return { kind: 'refused', refusal: walletArchived }
    return evaluate(ctx, request, payload, { isFresh: true, explain })
  }
}

/**
 * Whether the enclave saw a later state only because others were faster: what it was asked about has changed in the database as well, or it had yet to
 * be told. Otherwise the database went back.
 */
export async function isOvertaken(
  { sql, signer: { enclave, sessions, wallets } }: SigningCtx,
  asked: SigningSession,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof EnclaveError) || error.code !== 'state_rolled_back') return false
  if (error.rolledBack === 'budget') return false
  if (error.rolledBack === 'wallet')
    return (await wallets.isArchived(asked.walletId)) || (await tellEnclave({ sql, enclave })) > 0
  const now = await sessions.loadFresh(asked.id)
  return now === undefined || now.grant === null || versionsOf(now) !== versionsOf(asked)
}

const versionsOf = ({ policyVersion, rulesVersion, agentVersion }: SigningSession): string =>
  `${policyVersion} ${rulesVersion} ${agentVersion}`

/** Whether the session has to be looked up again: a cached one may have expired where its policy was given more time since. */
export const isOutdated = (error: unknown, isFresh: boolean): boolean =>
  !isFresh && error instanceof EnclaveError && error.code === 'expired'

/**
 * Evaluates a payload before there is anything to reserve: a refusal ends the request, its event recorded. With `withTotals` the budget is
 * checked too; nothing is reserved.
 */
export async function evaluateEarly(
  ctx: SigningCtx,
  request: SigningRequest,
  payload: SigningPayload,
  { withTotals = false }: { withTotals?: boolean } = {},
): Promise<{ kind: 'allowed'; decision: Decision } | RequestError> {
  const { decisions } = ctx.ledger
  const outcome = await retry<{ kind: 'allowed'; decision: Decision } | RequestError, boolean>(
    { attemptsMax },
    false,
    async (isFresh) => {
      const end = await decide(ctx, request, payload, { isFresh, withTotals }).catch(
        (error: unknown): 'outdated' | RequestEnd =>
          isOutdated(error, isFresh) ? 'outdated' : { kind: 'thrown', error },
      )
      if (end === 'outdated') return { again: true }
      if (end.kind === 'allowed') return { done: end }
      const recorded = await recordEnd(decisions, request, end)
      return recorded === 'stale' ? { again: true } : { done: recorded }
    },
  )
  return outcome ?? recordFinal(decisions, request, { kind: 'failed', code: 'unavailable' })
}

async function decide(
  ctx: SigningCtx,
  request: SigningRequest,
  payload: SigningPayload,
  { isFresh, withTotals }: { isFresh: boolean; withTotals: boolean },
): Promise<{ kind: 'allowed'; decision: Decision } | RequestEnd> {
  const evaluated = await evaluate(ctx, request, payload, { isFresh })
  if (evaluated.kind !== 'evaluated') return evaluated
  const { decision, session } = evaluated
  const { digestSha256: digest, spends } = decision
  const refusal =
    decision.refusal ??
    (withTotals ? (await checkBudget(ctx.sql, { sessionId: session.id, digest, spends })).refusal : undefined)
  if (refusal === undefined) return { kind: 'allowed', decision }
  return { kind: 'refused', refusal, facts: factsOf({ ...decision, refusal }), under: session }
}
