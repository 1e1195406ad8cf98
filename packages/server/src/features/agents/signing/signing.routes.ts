import { createHash } from 'node:crypto'
import { listAgentSessionEvents, sendAsAgent, signAsAgent } from '@symbolon/api'
import type { Sql } from '../../../db/pool.ts'
import { on } from '../../../http/handler.ts'
import { agentEventsStore } from './agent-events.store.ts'
import type { AgentSigning } from './agent-signing.ts'
import { signingSessionsStore } from './signing-sessions.store.ts'

/** A process that died after its commit has kept no answer: the transaction itself knows which request made it, as long as keys count. */
const dayKey = (key: string, body: object) => ({
  attemptKey: `http ${createHash('sha256')
    .update(JSON.stringify([key, body]))
    .digest('hex')}`,
  attemptHours: 24,
})

/** The routes by which agents sign and send, and the portal's list of what a session asked for. */
export const agentSigningRoutes = (sql: Sql, signing: AgentSigning) => [
  on(signAsAgent, ({ principal, body, fail }) => signing.sign(principal, body, {}, fail), {
    onMalformed: (principal, body) => signing.malformed(principal, body),
  }),

  on(
    sendAsAgent,
    ({ principal, body, idempotencyKey: key, fail }) =>
      signing.send(principal, body, key === undefined ? {} : dayKey(key, body), fail),
    { onMalformed: (principal, body) => signing.malformed(principal, body) },
  ),

  on(listAgentSessionEvents, async ({ principal, params: { sessionID: sessionId }, query, fail }) => {
    if (!(await signingSessionsStore.isOf(sql, sessionId, principal.organization.id))) throw fail('not_found')
    const { items, total } = await agentEventsStore.list(sql, { sessionId }, query)
    return { items, total, limit: query.limit, offset: query.offset }
  }),
]
