import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { callAgent, getAgentCard, getLegacyAgentCard } from '@symbolon/api'
import type { Sql } from '../../../db/pool.ts'
import { readJsonBody } from '../../../http/json-body.ts'
import { onRaw, type RawAnswer, type RawCall } from '../../../http/raw-handler.ts'
import type { A2a } from './a2a.ts'
import type { A2aCaller } from './a2a-ports.ts'
import { hybridCard, strictCard } from './agent-card.ts'
import { type CardAgent, tasksStore } from './tasks.store.ts'

const cardMaxAgeSeconds = 60

/** The agent that a caller may talk to: another organization's, an archived and an unknown one are the same nothing. */
export async function calledAgent(
  sql: Sql,
  agentId: string,
  { organization, session }: A2aCaller,
  fail: RawCall<typeof callAgent>['fail'],
): Promise<CardAgent> {
  const agent = await tasksStore.agent(sql, agentId)
  if (agent === undefined || agent.organizationId !== organization.id) throw fail('not_found')
  if (session !== undefined && session.agentId !== agent.id) throw fail('forbidden')
  return agent
}

/** Discovery and JSON-RPC of agents. */
export function a2aRoutes({ sql, answer, baseUrl }: { sql: Sql; answer: A2a; baseUrl: string }) {
  async function card({
    params,
    headers,
    request,
    fail,
  }: RawCall<typeof getAgentCard> | RawCall<typeof getLegacyAgentCard>): Promise<RawAnswer> {
    const agent = await tasksStore.agent(sql, params.agentID)
    if (agent === undefined) throw fail('not_found')
    const isStrict = /^1\.0(\.\d+)?$/.test(askedVersion(headers, request.url))
    const body = JSON.stringify(isStrict ? strictCard(agent, baseUrl) : hybridCard(agent, baseUrl))
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
    const shared = {
      etag,
      'cache-control': `public, max-age=${cardMaxAgeSeconds}`,
      vary: 'A2A-Version',
    }
    if (isListed(headers['if-none-match'], etag)) return { status: 304, headers: shared, body: '' }
    return { status: 200, headers: { ...shared, 'content-type': 'application/json; charset=utf-8' }, body }
  }

  return [
    onRaw(getAgentCard, card),
    onRaw(getLegacyAgentCard, card),
    onRaw(callAgent, async ({ params, principal: caller, fail, rawBody, headers, signal, request }) =>
      answer({
        agent: await calledAgent(sql, params.agentID, caller, fail),
        caller,
        body: readJsonBody(rawBody),
        headers: { ...headers, 'a2a-version': askedVersion(headers, request.url) },
        signal,
      }),
    ),
  ]
}

/** The version that a request names in its header, or else in its address (A2A 1.0, section 3.6.1). */
function askedVersion({ 'a2a-version': header }: IncomingHttpHeaders, url: string): string {
  const named = header ?? new URLSearchParams(url.split('?')[1] ?? '').get('A2A-Version')
  return String(named ?? '')
}

/** Weak comparison of `If-None-Match` (RFC 9110, section 13.1.2). */
const isListed = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((each) => ['*', etag, `W/${etag}`].includes(each.trim())) === true
