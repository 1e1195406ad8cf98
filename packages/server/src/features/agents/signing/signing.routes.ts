import { createHash } from 'node:crypto'
import { ApiError, listAgentSessionEvents, sendAsAgent, signAsAgent } from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import { failure, mapResult } from '../../../runtime/failure.ts'
import { agentEventsStore } from './agent-events.store.ts'
import { agentSend, sentToWire } from './agent-send.ts'
import { agentSign } from './agent-sign.ts'
import { recordMalformed } from './failed-requests.ts'
import { madeBefore } from './prepare.ts'
import type { SigningCtx } from './signing-ctx.ts'
import type { AgentActor } from './signing-request.ts'
import { signingSessionsStore } from './signing-sessions.store.ts'

/** The routes by which agents sign and send, and the portal's list of a session's signing requests. */
export const agentSigningRoutes = (ctx: SigningCtx) => [
  on(signAsAgent, ({ principal: actor, body }) => agentSign(ctx, { actor, body }), {
    onMalformed: (actor, body) => refuseMalformed(ctx, actor, body),
  }),

  on(
    sendAsAgent,
    async ({ principal: actor, body: input, idempotencyKey }) => {
      const key = idempotencyKey === undefined ? {} : dayKey(idempotencyKey, input)
      return mapResult(await agentSend(ctx, { actor, input, ...key }), sentToWire)
    },
    {
      onMalformed: (actor, body) => refuseMalformed(ctx, actor, body),
      isContinued: async ({ principal: { session }, body, idempotencyKey }) =>
        (await madeBefore(ctx, session.id, dayKey(idempotencyKey, body).key)) !== undefined,
    },
  ),

  on(listAgentSessionEvents, async ({ principal, params: { sessionID: sessionId }, query }) => {
    if (!(await signingSessionsStore.isOf(ctx.sql, sessionId, principal.organization.id)))
      return failure('not_found')
    const { items, total } = await agentEventsStore.list(ctx.sql, { sessionId }, query)
    return { items, total, limit: query.limit, offset: query.offset }
  }),
]

/** Records a request that does not parse. Throws where its session is over: that goes before what is wrong with the request. */
export async function refuseMalformed(ctx: SigningCtx, actor: AgentActor, body: unknown): Promise<void> {
  const error = await recordMalformed(ctx, { actor, body })
  if (error !== undefined) throw new ApiError(error.code, error)
}

/** A process that died after its commit kept no answer: while keys count, the transaction itself knows the request that made it. */
const dayKey = (key: string, body: object) => ({
  key: `http ${createHash('sha256')
    .update(JSON.stringify([key, body]))
    .digest('hex')}`,
  keyHours: 24,
})
