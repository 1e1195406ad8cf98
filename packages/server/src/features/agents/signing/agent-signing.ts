import {
  type ErrorCode,
  type Fail,
  fail as makeError,
  type SendAgentTransaction,
  type SignRequest,
} from '@symbolon/api'
import { agentSend, type SendCode, sentToWire } from './agent-send.ts'
import { agentSign } from './agent-sign.ts'
import { recordEnded, recordFailed, recordMalformed } from './failed-requests.ts'
import { type RequestCode, throwError } from './request-end.ts'
import type { SigningCtx } from './signing-ctx.ts'
import type { AgentActor } from './signing-request.ts'

type Named = { runId?: string }

/** Agents' signatures and transactions for routes, tools and protocols: the use cases, their errors thrown as the caller's. */
export function agentSigning(ctx: SigningCtx) {
  return {
    /** A signature by the session's wallet, within its policy; or the whole evaluation, of a dry run. */
    async sign(
      actor: AgentActor,
      body: SignRequest,
      options: Named & { walletId?: string },
      fail: Fail<RequestCode | 'invalid_curve'>,
    ) {
      const outcome = await agentSign(ctx, { actor, body, ...options })
      return outcome.kind === 'error' ? throwError(outcome, fail) : outcome.response
    },

    /** Makes and sends a transaction, once per `attemptKey`. */
    async send(
      actor: AgentActor,
      input: SendAgentTransaction,
      options: Named & { attemptKey?: string; attemptHours?: number },
      fail: Fail<RequestCode | SendCode>,
    ) {
      const outcome = await agentSend(ctx, { actor, input, ...options })
      return outcome.kind === 'error' ? throwError(outcome, fail) : sentToWire(outcome)
    },

    /** A request that does not parse. Throws where the session is over. */
    async malformed(actor: AgentActor, body: unknown, runId: string | null = null): Promise<void> {
      const error = await recordMalformed(ctx, { actor, body, runId })
      if (error !== undefined) throwError(error, makeError)
    },

    /** A request of a session that is over; answers the error to throw. */
    async ended(
      actor: AgentActor,
      state: 'revoked' | 'expired',
      request: { type: SignRequest['type'] | null; chain?: string },
      fail: Fail<'token_revoked' | 'token_expired'>,
    ): Promise<Error> {
      return fail(await recordEnded(ctx, { actor, state, ...request }))
    },

    /** A request that failed before there was anything to sign. */
    failed: (
      actor: AgentActor,
      request: Named & { type: SignRequest['type']; chain: string },
      code: ErrorCode,
    ): Promise<void> => recordFailed(ctx, { actor, code, ...request }),
  }
}

export type AgentSigning = ReturnType<typeof agentSigning>
