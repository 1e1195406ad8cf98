import type { ErrorCode, SignRequest } from '@symbolon/api'
import { overCodes, type RequestError, recordFinal } from './request-end.ts'
import type { SigningCtx } from './signing-ctx.ts'
import { type AgentActor, knownChain } from './signing-request.ts'

/** Records a request that does not parse, unless it says that it is a dry run. Returns the error where the session is over. */
export async function recordMalformed(
  { ledger }: SigningCtx,
  { actor, body, runId = null }: { actor: AgentActor; body: unknown; runId?: string | null | undefined },
): Promise<RequestError | undefined> {
  const request = { actor, runId, type: null, chain: null }
  const { state } = actor.session
  const isDry = typeof body === 'object' && body !== null && 'dry_run' in body && body.dry_run === true
  if (state !== 'active') {
    if (isDry) return { kind: 'error', code: overCodes[state] }
    return recordFinal(ledger.decisions, request, { kind: 'session_over', state })
  }
  if (!isDry) await recordFinal(ledger.decisions, request, { kind: 'failed', code: 'invalid_request' })
  return undefined
}

/** Records a request of a session that is over, without a type where it does not parse; returns its error's code. */
export async function recordEnded(
  { ledger }: SigningCtx,
  {
    actor,
    state,
    type,
    chain,
  }: {
    actor: AgentActor
    state: 'revoked' | 'expired'
    type: SignRequest['type'] | null
    chain?: string
  },
): Promise<'token_revoked' | 'token_expired'> {
  const request = { actor, runId: null, type, chain: knownChain(chain) }
  await recordFinal(ledger.decisions, request, { kind: 'session_over', state })
  return overCodes[state]
}

/** Records a request that failed before there was anything to sign. */
export async function recordFailed(
  { ledger }: SigningCtx,
  {
    actor,
    type,
    chain,
    runId = null,
    code,
  }: {
    actor: AgentActor
    type: SignRequest['type']
    chain: string
    runId?: string | null | undefined
    code: ErrorCode
  },
): Promise<void> {
  const request = { actor, runId, type, chain: knownChain(chain) }
  await recordFinal<ErrorCode>(ledger.decisions, request, { kind: 'failed', code })
}
