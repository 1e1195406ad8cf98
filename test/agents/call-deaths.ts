import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { eip3009Token } from '@symbolon/dev/testing/chain'
import { eventsIn, startPaidServer } from '@symbolon/testing/agents'
import type { Answer } from '@symbolon/testing/http'
import type { Hex } from 'viem'
import { expect } from 'vitest'
import { type DeathSite, dieAtGate, makeAgent, waiting } from './death-site.ts'

/** Where a call under a key is when its process dies: before the write that keeps its answer, notes it or submits its operation. */
const places = ['answer', 'note', 'submit'] as const

type Result = { isError?: boolean; structuredContent: Record<string, unknown> }
type KeyedCall = {
  place: (typeof places)[number]
  walletId: string
  address: Hex
  key: string
  post(): Promise<Answer>
}

/**
 * Kills every process while calls of `send_user_operation` under a key (MCP) are at each of these places; expects the same call to be
 * answered afterwards, with the one operation that was submitted.
 */
export async function expectOneOperationPerKey(site: DeathSite): Promise<void> {
  const { sql } = site.platform
  const calls = await Promise.all(places.map((place) => keyedCall(site, place, operation())))
  await dieInCalls(site, calls)
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

const paid = ['answer', 'note'] as const
const price = 250n

/**
 * Kills every process while calls of `pay` with a body, under a key (MCP), are at these places: after the seller was paid, and before the
 * payment is noted. The same call is answered afterwards, and one payment was made.
 */
export async function expectOnePaymentPerKey(site: DeathSite): Promise<void> {
  const token = await eip3009Token(site.chain)
  const server = await startPaidServer(token, { version: 2, price })
  try {
    const args = { url: server.url, method: 'POST', headers: { 'x-order': '7' }, body: '{"order":7}' }
    const policy = {
      allowed_methods: ['signMessage'],
      allowed_tokens: [{ chain: 'local', token: token.address, max_total: '1000' }],
    }
    const calls = await Promise.all(
      paid.map((place) => keyedCall(site, place, { call: { name: 'pay', arguments: args }, policy })),
    )
    for (const { address } of calls) await token.mint(address, 1_000n)
    await dieInCalls(site, calls)
    expect(server.shown).toHaveLength(1)
    for (const { place, address, post } of calls) {
      const { structuredContent: content } = await answered(post)
      expect(content, place).toMatchObject({ status: 200, body: 'what was paid for' })
      expect(await token.balanceOf(address), place).toBe(1_000n - price)
    }
    // The payment that the dead process made was shown again, and not another one.
    const nonces = server.shown.map(({ payload }) => payload.authorization.nonce)
    expect([nonces.length, new Set(nonces).size]).toEqual([3, 2])
    expect(server.received.every(({ method, body }) => method === 'POST' && body === args.body)).toBe(true)
  } finally {
    await server.close()
  }
}

/** Makes calls one after the other, until each is held at its place, and kills every process there. */
async function dieInCalls(site: DeathSite, calls: readonly KeyedCall[]): Promise<void> {
  const { sql } = site.platform
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
}

const operation = () => ({
  call: {
    name: 'send_user_operation',
    arguments: { chain: 'local', calls: [{ to: `0x${randomBytes(20).toString('hex')}` }] },
  },
  policy: { allowed_methods: ['sendTransaction'] },
})

async function keyedCall(
  site: DeathSite,
  place: KeyedCall['place'],
  { call, policy }: { call: { name: string; arguments: object }; policy: object },
): Promise<KeyedCall> {
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
    ...policy,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  }
  const headers = { authorization: `Bearer ${nextKey()}` }
  const minted = await api.call('/v1/s2s/agent-sessions', { method: 'POST', headers, body })
  expect(minted.status, minted.text).toBe(201)
  const key = randomUUID()
  const asked = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${String(minted.data['token'])}`,
      accept: 'application/json, text/event-stream',
      'idempotency-key': key,
    },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
  }
  return {
    place,
    walletId,
    address: agent.address,
    key,
    post: () => api.call(`/v1/agents/${agent.id}/mcp`, asked),
  }
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
