import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { callAgent, getAgentCard, getLegacyAgentCard } from '@symbolon/api'
import { onRaw, type RawAnswer, type RawCall } from '../../../http/raw-handler.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import { calledAgent, noAgent } from '../called-agent.ts'
import { type A2aCtx, answerA2a } from './a2a.ts'
import { hybridCard, strictCard } from './agent-card.ts'
import { tasksStore } from './tasks.store.ts'

const cardMaxAgeSeconds = 60

/** Discovery and JSON-RPC of agents. */
export const a2aRoutes = (ctx: A2aCtx) => [
  onRaw(getAgentCard, (call) => card(ctx, call)),
  onRaw(getLegacyAgentCard, (call) => card(ctx, call)),
  onRaw(callAgent, async ({ params, principal: caller, readJson, headers, signal, request }) => {
    const agent = await calledAgent(ctx.tasks.runs.sql, params.agentID, caller)
    if (isFailure(agent)) return agent
    const given = { ...headers, 'a2a-version': askedVersion(headers, request.url) }
    return answerA2a(ctx, { agent, caller, signal }, { body: await readJson(), headers: given })
  }),
]

async function card(
  { tasks: { runs, cards } }: A2aCtx,
  { params, headers, request }: RawCall<typeof getAgentCard> | RawCall<typeof getLegacyAgentCard>,
): Promise<RawAnswer | Failure<'not_found'>> {
  const agent = await tasksStore.agent(runs.sql, params.agentID)
  if (agent === undefined) return failure('not_found', { message: noAgent })
  const isStrict = /^1\.0(\.\d+)?$/.test(askedVersion(headers, request.url))
  const body = JSON.stringify(isStrict ? strictCard(cards, agent) : hybridCard(cards, agent))
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  const shared = { etag, 'cache-control': `public, max-age=${cardMaxAgeSeconds}`, vary: 'A2A-Version' }
  if (isListed(headers['if-none-match'], etag)) return { status: 304, headers: shared, body: '' }
  return { status: 200, headers: { ...shared, 'content-type': 'application/json; charset=utf-8' }, body }
}

/** The version that a request names in its header, or else in its address (A2A 1.0, section 3.6.1). */
function askedVersion({ 'a2a-version': header }: IncomingHttpHeaders, url: string): string {
  const named = header ?? new URLSearchParams(url.split('?')[1] ?? '').get('A2A-Version')
  return String(named ?? '')
}

/** Weak comparison of `If-None-Match` (RFC 9110, section 13.1.2). */
const isListed = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((each) => ['*', etag, `W/${etag}`].includes(each.trim())) === true
