import { randomUUID } from 'node:crypto'
import { retentionStore } from '@symbolon/server/testing/organizations'
import { callNotesStore, idempotentCall, type ToolCall } from '@symbolon/server/testing/protocols'
import { type A2aFixture, a2aFixture, anyAddress } from '@symbolon/testing/agents'
import { startTestApp, type TestApp } from '@symbolon/testing/app'
import { sharedChain } from '@symbolon/testing/chain'
import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'

let fixture: A2aFixture
/** A second process of the same installation. */
let second: TestApp

beforeAll(async () => {
  const chain = await sharedChain()
  const chains = [{ handle: 'local', rpcUrls: [chain.rpcUrl], confirmations: 1 }]
  fixture = await a2aFixture({ chains })
  second = await startTestApp({ installation: fixture.app, chains })
  const { data } = await fixture.app.call<{ address: `0x${string}` }>(
    'GET',
    `/v1/s2s/wallets/${fixture.walletId}`,
    {
      sk: fixture.tenant.sk,
    },
  )
  await chain.fund(data.address, parseEther('1'))
})
afterAll(async () => {
  await second?.stop()
  await fixture?.app.stop()
})

type Message = { id: unknown; result: { isError?: boolean; structuredContent: Record<string, unknown> } }

const vendor = anyAddress()
const payment = (value: string, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'send_transaction', arguments: { chain: 'local', to: vendor, value } },
})

async function post(body: unknown, key?: string, { app = fixture.app, token = fixture.session.token } = {}) {
  const response = await fetch(`${app.url}/v1/agents/${fixture.agent.id}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  const events = [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, json = '']) => JSON.parse(json) as Message)
  return {
    status: response.status,
    text,
    messages: events.length > 0 ? events : [JSON.parse(text) as Message],
  }
}
const hashOf = ({ messages }: { messages: Message[] }) => messages[0]?.result.structuredContent['tx_hash']
const codeOf = ({ messages }: { messages: Message[] }) => messages[0]?.result.structuredContent['code']
const count = async () => (await fixture.app.sql`select 1 from agent_transactions`).length

test('the same call with the same key is one transaction, over two processes and under whatever id', async () => {
  const before = await count()
  const key = randomUUID()
  const first = await post(payment('1'), key)
  expect(hashOf(first), first.text).toMatch(/^0x[0-9a-f]{64}$/)
  for (const again of [
    await post(payment('1', 'other'), key),
    await post(payment('1'), key, { app: second }),
  ])
    expect(hashOf(again)).toBe(hashOf(first))
  expect(await count()).toBe(before + 1)
  // Without a key, and with another one, it is another payment.
  expect(hashOf(await post(payment('1'), randomUUID()))).not.toBe(hashOf(first))
  expect(hashOf(await post(payment('1')))).not.toBe(hashOf(first))
  expect(await count()).toBe(before + 3)
})

test('at once it is one transaction too', async () => {
  const before = await count()
  const key = randomUUID()
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, i) => post(payment('2'), key, { app: i % 2 === 0 ? fixture.app : second })),
  )
  const hashes = new Set(answers.map(hashOf).filter((hash) => hash !== undefined))
  expect(hashes.size).toBe(1)
  for (const answer of answers)
    if (hashOf(answer) === undefined) expect(codeOf(answer)).toBe('idempotency_key_in_flight')
  expect(await count()).toBe(before + 1)
})

test('other arguments or another tool under the same key are refused as in the other lanes', async () => {
  const key = randomUUID()
  await post(payment('3'), key)
  const before = await count()
  const other = { ...payment('3'), params: { name: 'get_policy', arguments: {} } }
  for (const body of [payment('4'), other]) {
    const answer = await post(body, key)
    expect(answer.messages[0]?.result).toMatchObject({
      isError: true,
      structuredContent: { code: 'idempotency_key_reused' },
    })
  }
  expect(await count()).toBe(before)
  // A key is its session's own.
  const session = await fixture.newSession(fixture.agent.id)
  expect(codeOf(await post(payment('4'), key, { token: session.token }))).toBe(undefined)
  expect(await count()).toBe(before + 1)
})

test('the places of a batch are different calls under one key, and the batch again is the same', async () => {
  const before = await count()
  const key = randomUUID()
  const batch = [payment('5', 'a'), payment('5', 'b')]
  const hashes = async () =>
    (await post(batch, key)).messages
      .sort((a, b) => String(a.id).localeCompare(String(b.id)))
      .map(({ result }) => result.structuredContent['tx_hash'])
  const first = await hashes()
  expect(new Set(first).size).toBe(2)
  expect(await hashes()).toEqual(first)
  expect(await count()).toBe(before + 2)
})

test('a refused call is refused again, and a key that is too long is ignored', async () => {
  const key = randomUUID()
  const refusal = await post(payment('100000000'), key)
  expect(codeOf(refusal)).toBe('policy_violation')
  expect((await post(payment('100000000'), key)).messages[0]?.result).toEqual(refusal.messages[0]?.result)
  for (const bad of ['x'.repeat(256), 'a b']) {
    const answer = await post(payment('1'), bad)
    expect(answer.status).toBe(400)
    expect(answer.text).toMatch(/Idempotency-Key must be/)
  }
})

test('after a crash between the payment and its answer the same call is the same payment', async () => {
  const key = randomUUID()
  const first = await post(payment('6'), key)
  // As if the process had died: the key is still held, and then past its minute.
  await fixture.app.sql`delete from idempotency_keys where key = ${key}`
  expect(hashOf(await post(payment('6'), key))).toBe(hashOf(first))
})

test('the decisions of a call are noted for as long as its key counts, by one process only', async () => {
  const { sql } = fixture.app
  const call = { sessionId: fixture.session.id, key: `test ${randomUUID()}` }
  const add = (known: number, note: unknown) => callNotesStore.add(sql, call, { known, note, hours: 24 })
  const odd = { offer: 'a\0b\ud800', nested: [1, null] }
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => add(0, odd)))
  expect(outcomes.filter((isHeard) => isHeard)).toHaveLength(1)
  expect(await callNotesStore.of(sql, call)).toEqual([odd])
  // Another session's call has the same name where key, tool and arguments are the same.
  expect(await callNotesStore.of(sql, { ...call, sessionId: randomUUID() })).toEqual([])
  expect(await add(1, 'second')).toBe(true)
  expect(await callNotesStore.of(sql, call)).toEqual([odd, 'second'])
  expect(await callNotesStore.of(sql, { ...call, key: 'another' })).toEqual([])

  await sql`update agent_call_notes set expires_at = app_now() where request_key = ${call.key}`
  expect(await callNotesStore.of(sql, call)).toEqual([])
  expect(await add(0, 'anew')).toBe(true)
  expect(await callNotesStore.of(sql, call)).toEqual(['anew'])
  await sql`update agent_call_notes set expires_at = app_now() - interval '1 second' where request_key = ${call.key}`
  expect(await retentionStore.deleteExpired(sql, 'agent_call_notes', 1_000)).toBeGreaterThanOrEqual(1)
  expect(await sql`select 1 from agent_call_notes where request_key = ${call.key}`).toHaveLength(0)
})

test('a call that fails on our side frees its key', async () => {
  const abandoned: string[] = []
  const idempotency = {
    begin: async () => ({ kind: 'run', attemptId: 'first' }),
    run: (_attempt: unknown, work: () => Promise<unknown>) => work(),
    abandon: async ({ attemptId }: { attemptId: string }) => void abandoned.push(attemptId),
  } as unknown as Parameters<typeof idempotentCall>[0]['idempotency']
  const call = {
    key: randomUUID(),
    sessionId: fixture.session.id,
    place: 0,
    name: 'pay',
    args: {},
    isContinued: true,
  }
  const failing = idempotentCall({ sql: fixture.app.sql, idempotency }, call, async () => {
    throw new Error('broken')
  })
  await expect(failing).rejects.toThrow('broken')
  expect(abandoned).toEqual(['first'])
})

test('of two processes that work on one call, the one that decides later learns of it, and does nothing', async () => {
  const idempotency = {
    begin: async () => ({ kind: 'run', attemptId: randomUUID() }),
    run: (_attempt: unknown, work: () => Promise<unknown>) => work(),
    finish: async () => {},
    abandon: async () => {},
  } as unknown as Parameters<typeof idempotentCall>[0]['idempotency']
  const call = {
    key: randomUUID(),
    sessionId: fixture.session.id,
    place: 0,
    name: 'pay',
    args: {},
    isContinued: true,
  }
  const make = (act: (call: ToolCall) => Promise<void>) =>
    idempotentCall({ sql: fixture.app.sql, idempotency }, call, async (one) => {
      await act(one)
      return { content: [] }
    })
  let later: Promise<unknown> | undefined
  await make(async (first) => {
    let decided = () => {}
    const isDecided = new Promise<void>((resolve) => {
      decided = resolve
    })
    let hasRead = () => {}
    const isRead = new Promise<void>((resolve) => {
      hasRead = resolve
    })
    later = make(async (second) => {
      hasRead()
      await isDecided
      await second.note('another')
    }).catch((error: unknown) => error)
    await isRead
    await first.note('this')
    decided()
  })
  expect(await later).toMatchObject({ code: 'unavailable' })
  await make(async ({ notes }) => expect(notes).toEqual(['this']))
})
