import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventsIn } from '@symbolon/testing/agents'
import type { Answer } from '@symbolon/testing/http'
import { expect } from 'vitest'
import { type DeathSite, dieAtGate, makeAgent, waiting } from './death-site.ts'

/** Where a call under a key is when its process dies: before the write that keeps its answer, notes it or submits its operation. */
const places = ['answer', 'note', 'submit'] as const

type Result = { isError?: boolean; structuredContent: Record<string, unknown> }
type KeyedCall = { place: (typeof places)[number]; walletId: string; key: string; post(): Promise<Answer> }

/**
 * Kills every process while calls of `send_user_operation` under a key (MCP) are at each of these places; expects the same call to be
 * answered afterwards, with the one operation that was submitted.
 */
export async function expectOneOperationPerKey(site: DeathSite): Promise<void> {
  const { sql } = site.platform
  const calls = await Promise.all(places.map((place) => keyedCall(site, place)))
  for (const { place, walletId, key } of calls)
    await sql`insert into gates (place, key, wallet_id)
      values (${place}, ${place === 'answer' ? key : null}, ${place === 'answer' ? null : walletId})`
  const cut: Promise<string>[] = []
  await dieAtGate(site, calls.length, false, async () => {
    // One after the other: who is held where operations are submitted holds up those of the whole organization.
    for (const { post } of calls) {
      cut.push(
        post().then(
          ({ text }) => text,
          () => 'cut',
        ),
      )
      await waiting(site, cut.length)
    }
  })
  expect(await Promise.all(cut)).toEqual(calls.map(() => 'cut'))
  const submitted = (walletId: string) => sql<{ hash: string }[]>`
    select hash from user_operations
    where wallet_id = ${walletId} and submitted_at is not null`
  const before = new Map<string, unknown>()
  for (const { place, walletId } of calls) before.set(place, (await submitted(walletId))[0]?.hash)
  expect(before.get('answer')).toMatch(/^0x/)
  for (const { place, walletId, post } of calls) {
    const { structuredContent: content } = await answered(post)
    expect(content, place).toMatchObject({ user_op_hash: expect.stringMatching(/^0x/) })
    expect(await submitted(walletId), place).toEqual([{ hash: content['user_op_hash'] }])
    if (before.get(place) !== undefined) expect(content['user_op_hash']).toBe(before.get(place))
  }
}

async function keyedCall(site: DeathSite, place: KeyedCall['place']): Promise<KeyedCall> {
  const { platform, nextKey } = site
  const [api] = platform.apis
  if (api === undefined) throw new Error('There is no process.')
  const agent = await makeAgent(site)
  const walletId = agent.wallet_id
  const body = {
    wallet_id: walletId,
    agent_id: agent.id,
    name: place,
    max_spend_per_tx_native: '0',
    max_spend_total_native: '0',
    allowed_chains: ['local'],
    allowed_methods: ['sendTransaction'],
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  }
  const headers = { authorization: `Bearer ${nextKey()}` }
  const minted = await api.call('/v1/s2s/agent-sessions', { method: 'POST', headers, body })
  expect(minted.status, minted.text).toBe(201)
  const key = randomUUID()
  const call = {
    name: 'send_user_operation',
    arguments: { chain: 'local', calls: [{ to: `0x${randomBytes(20).toString('hex')}` }] },
  }
  const asked = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${String(minted.data['token'])}`,
      accept: 'application/json, text/event-stream',
      'idempotency-key': key,
    },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
  }
  return { place, walletId, key, post: () => api.call(`/v1/agents/${agent.id}/mcp`, asked) }
}

/** The call again, until the process that died is known to be dead. */
async function answered(post: KeyedCall['post']): Promise<Result> {
  for (let i = 0; i < 100; i++) {
    const { text } = await post()
    const [answer] = eventsIn(text) as { result?: Result }[]
    const result = answer?.result
    if (result !== undefined && result.structuredContent['code'] !== 'idempotency_key_in_flight')
      return result
    await sleep(100)
  }
  throw new Error('The call was never answered.')
}
