import type { ServerResponse } from 'node:http'
import type { Agent } from '@symbolon/api'
import { type Eip3009Token, eip3009Token } from '@symbolon/dev/testing/chain'
import {
  type A2aFixture,
  a2aFixture,
  eventually,
  mySession,
  type PaidServer,
  startPaidServer,
} from '@symbolon/testing/agents'
import { callAs } from '@symbolon/testing/app'
import { sharedChain } from '@symbolon/testing/chain'
import { advanceClock } from '@symbolon/testing/database'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const price = 250n
/** Its last digit but two is in the wrong case. */
const wrongChecksum = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293bC'
let fixture: A2aFixture
let token: Eip3009Token
let wallet: Address
/** One call is its run, whose end is the call's. */
let payer: Agent
const servers: PaidServer[] = []

beforeAll(async () => {
  const chain = await sharedChain()
  token = await eip3009Token(chain)
  fixture = await a2aFixture()
  const { data } = await fixture.app.call<{ address: Address }>(
    'GET',
    `/v1/s2s/wallets/${fixture.walletId}`,
    {
      sk: fixture.tenant.sk,
    },
  )
  wallet = data.address
  payer = await fixture.newAgent({ runner: 'intent' })
  await token.mint(wallet, 1_000_000n)
})
afterAll(async () => {
  await fixture.app.stop()
  for (const server of servers) await server.close()
})

async function paidServer(version: 1 | 2): Promise<PaidServer> {
  const server = await startPaidServer(token, { version, price })
  servers.push(server)
  return server
}
const newSession = (caps: object = {}, agent = fixture.agent, more: object = {}) =>
  fixture.newSession(agent.id, {
    allowed_tokens: [{ chain: 'local', token: token.address, ...caps }],
    ...more,
  })

/** A task of the session that pays, at its end: what the tool gave, or why the run failed. */
async function pay(session: { token: string }, args: object, agent = fixture.agent) {
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ data: { tool: 'pay', arguments: args } }] }
  const { body } = await fixture.rpc(
    'SendMessage',
    { message },
    {
      token: session.token,
      headers: { 'a2a-version': '1.0' },
      at: `${fixture.app.url}/v1/agents/${agent.id}`,
    },
  )
  const { task } = body.result
  return { state: task.status.state, text: JSON.stringify(task), made: task.artifacts?.[0]?.parts?.[1]?.data }
}

/** What a call over MCP answers; calls under the same key are the same call. */
async function payOverMcp(
  session: { token: string },
  { url }: PaidServer,
  key?: string,
  more: object = {},
): Promise<string> {
  const params = { name: 'pay', arguments: { url, ...more } }
  const answer = await fetch(`${fixture.at}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${session.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  return answer.text()
}
const spentOf = async (session: { token: string }) =>
  (await mySession(fixture.app, session.token)).spent.find(({ asset }) =>
    asset.toLowerCase().includes(token.address.toLowerCase()),
  )

describe.each([1, 2] as const)('x402 version %i', (version) => {
  test('a paid resource is paid for once, on the chain, and counted against the token', async () => {
    const server = await paidServer(version)
    const session = await newSession({ max_total: '1000' })
    const before = await token.balanceOf(token.seller.address)
    const { made, text } = await pay(session, { url: server.url })
    expect(made, text).toMatchObject({
      status: 200,
      body: 'what was paid for',
      payment: { chain: 'local', amount: '250' },
      settlement: { success: true, payer: wallet },
    })
    expect((await token.balanceOf(token.seller.address)) - before).toBe(price)
    expect(await spentOf(session)).toMatchObject({ spent: '250', reserved: '0', remaining: '750' })
  })

  test('an answer that is lost on the way is asked for again with the same payment, never with a second one', async () => {
    const server = await paidServer(version)
    server.losses = 2
    const session = await newSession({ max_total: '1000' })
    const before = await token.balanceOf(token.seller.address)
    const { made, text } = await pay(session, { url: server.url })
    expect(made, text).toMatchObject({ status: 200, body: 'what was paid for' })
    expect(server.shown.length).toBe(3)
    for (const { payload } of server.shown) expect(payload).toEqual(server.shown[0]?.payload)
    expect((await token.balanceOf(token.seller.address)) - before).toBe(price)
    expect(await spentOf(session)).toMatchObject({ spent: '250' })
  })

  test('of several offers the first that the policy allows is taken', async () => {
    const server = await paidServer(version)
    const [name, amount] = version === 1 ? ['local', 'maxAmountRequired'] : ['eip155:31337', 'amount']
    const stranger = {
      scheme: 'exact',
      network: name,
      [amount]: '1',
      asset: wallet,
      payTo: wallet,
      maxTimeoutSeconds: 60,
      extra: { name: 'X', version: '1' },
    }
    server.otherOffers = [{ scheme: 'upto' }, { ...stranger, network: 'mars' }, stranger]
    const { made, text } = await pay(await newSession(), { url: server.url })
    expect(made, text).toMatchObject({ payment: { token: token.address, amount: '250' } })
  })

  test('the failure names the payment and not its signature, whatever the seller does after it was shown the payment', async () => {
    const server = await paidServer(version)
    const ends: [string, (response: ServerResponse) => void][] = [
      ['402', (response) => response.writeHead(402, { 'content-type': 'text/plain' }).end('once more')],
      ['500', (response) => response.writeHead(500).end('oops')],
      ['redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end()],
      ['too large', (response) => response.writeHead(200).end(Buffer.alloc(70_000, 'x'))],
    ]
    for (const [what, end] of ends) {
      server.shown = []
      server.afterPayment = end
      const { state, text } = await pay(await newSession({}, payer), { url: server.url }, payer)
      expect([what, state, text]).toEqual([what, 'TASK_STATE_FAILED', expect.any(String)])
      expect(server.shown).toHaveLength(1)
      const { authorization, signature } = server.shown[0]?.payload ?? {}
      for (const part of [
        'payment_unconfirmed',
        '250',
        token.address,
        'local',
        token.seller.address,
        authorization?.nonce ?? '-',
      ])
        expect(text, what).toContain(part)
      expect(text).not.toContain(signature?.slice(2) ?? '-')
      expect(text, what).toContain(what)
      const [run] = await fixture.app
        .sql`select result from agent_runs where agent_id = ${payer.id} order by id desc limit 1`
      expect(run?.['result'], what).toMatchObject({
        code: 'payment_unconfirmed',
        details: {
          payment: {
            chain: 'local',
            token: token.address,
            from: wallet,
            to: token.seller.address,
            amount: '250',
            nonce: authorization?.nonce,
            signed: 'TransferWithAuthorization',
          },
          ...(what === '402' && { answer: { status: 402, body: 'once more' } }),
        },
      })
      expect(JSON.stringify(run)).not.toContain(signature?.slice(2) ?? '-')
    }
  })

  test('an offer that cannot be read, and one that wants another way of transfer, leave the next to be taken', async () => {
    const server = await paidServer(version)
    const [name, amount] = version === 1 ? ['local', 'maxAmountRequired'] : ['eip155:31337', 'amount']
    const offer = {
      scheme: 'exact',
      network: name,
      [amount]: '1',
      asset: token.address,
      payTo: wallet,
      maxTimeoutSeconds: 60,
      extra: token.domain,
    }
    server.otherOffers = [
      { ...offer, payTo: wrongChecksum },
      { ...offer, [amount]: (2n ** 256n).toString() },
      { ...offer, extra: { ...token.domain, name: 'Test\0Dollar' } },
      { ...offer, extra: { ...token.domain, name: '\ud800' } },
      { ...offer, extra: { ...token.domain, assetTransferMethod: 'permit2' } },
      { ...offer, extra: { ...token.domain, assetTransferMethod: null } },
    ]
    const { made, text } = await pay(await newSession(), { url: server.url })
    expect(made, text).toMatchObject({ payment: { amount: '250' } })
    server.otherOffers = [{ ...offer, extra: { ...token.domain, assetTransferMethod: 'eip3009' } }]
    server.afterPayment = (response) => response.writeHead(200).end('cheap')
    const cheap = await pay(await newSession(), { url: server.url })
    expect(cheap.made, cheap.text).toMatchObject({ payment: { amount: '1', to: wallet } })
  })
})

test('a seller that never answers is shown the same payment until the tries are over, and the failure names it', async () => {
  const server = await paidServer(2)
  server.losses = 100
  const paying = pay(await newSession({}, payer), { url: server.url }, payer)
  // Its seventh try comes after 47 s: this is it.
  await eventually(async () => {
    const { count } = await fixture.app.sql`
      update agent_runs set retries = 6, due_at = app_now()
      where agent_id = ${payer.id} and state = 'queued' and retries > 0`
    return count > 0 ? true : undefined
  })
  const { state, text } = await paying
  expect([state, text]).toEqual(['TASK_STATE_FAILED', expect.stringContaining('payment_unconfirmed')])
  expect(server.shown.length).toBeGreaterThan(1)
  const { nonce } = server.shown[0]?.payload.authorization ?? {}
  for (const { payload } of server.shown) expect(payload.authorization.nonce).toBe(nonce)
  expect(text).toContain(nonce)
})

test('a payment that was shown and may not be signed again is named with the refusal', async () => {
  const server = await paidServer(2)
  server.losses = 100
  const paying = pay(await newSession({}, payer), { url: server.url }, payer)
  await eventually(async () => (server.shown.length > 0 ? true : undefined))
  const rules = (body: object) =>
    callAs(fixture.app, fixture.owner, ['PUT', `/v1/orgs/${fixture.tenant.id}/rules`, body])
  expect((await rules({ token_mode: 'none' })).status).toBe(200)
  const { text } = await paying
  await rules({})
  expect(text).toContain('payment_unconfirmed')
  const [run] = await fixture.app
    .sql`select result from agent_runs where agent_id = ${payer.id} order by id desc limit 1`
  expect(run?.['result']).toMatchObject({
    details: {
      payment: { nonce: server.shown[0]?.payload.authorization.nonce },
      refusal: { code: 'policy_violation', details: { reason: 'token_transfers_disabled' } },
    },
  })
})

test('over MCP, where nothing is tried again, a lost answer names its payment at once', async () => {
  const server = await paidServer(1)
  server.losses = 1
  const text = await payOverMcp(await newSession(), server)
  expect(server.shown).toHaveLength(1)
  expect(text).toContain('payment_unconfirmed')
  expect(text).toContain(server.shown[0]?.payload.authorization.nonce)
})

test('a price beyond the cap is refused with its reason, and nothing is shown to the seller', async () => {
  const server = await paidServer(2)
  const session = await newSession({ max_per_tx: '249' })
  const { text } = await pay(session, { url: server.url })
  expect(text).toMatch(/token_cap_exceeded/)
  expect(server.shown).toEqual([])
  expect((await pay(await newSession(), { url: server.url, max_amount: '249' })).text).toMatch(/max_amount/)
  expect((await pay(fixture.session, { url: server.url })).text).toMatch(/token_not_allowed/)
  expect(server.shown).toEqual([])
})

test('a free resource is simply fetched, and a forbidden URL is not', async () => {
  const page = `${fixture.app.url}/v1/health`
  expect((await pay(fixture.session, { url: page })).made).toMatchObject({
    status: 200,
    body: expect.stringContaining('ok'),
  })
  expect((await pay(fixture.session, { url: 'http://10.0.0.1/' })).text).toMatch(/not allowed/)
})

test('nobody at the address ends the run at once, since nothing was decided on', async () => {
  const { text } = await pay(fixture.session, { url: 'http://127.0.0.1:1/' })
  expect(text).toMatch(/cannot be reached/)
})

const order = {
  method: 'POST',
  headers: { 'X-Order': 'planted-header', authorization: 'Bearer planted-header' },
  body: JSON.stringify({ note: 'planted-body \u{1F680}' }),
}

test('a request with method, headers and body is made as given, without the payment and with it, and kept nowhere', async () => {
  const server = await paidServer(2)
  const session = await newSession({ max_total: '1000' })
  for (const [method, type] of [
    ['POST', 'application/json'],
    ['DELETE', 'text/csv'],
  ] as const) {
    server.received = []
    const headers = { ...order.headers, ...(method === 'DELETE' && { 'Content-Type': type }) }
    const text = await payOverMcp(session, server, `order-${method}`, { ...order, method, headers })
    expect(text).toContain('what was paid for')
    const same = {
      method,
      body: order.body,
      headers: expect.objectContaining({
        'x-order': 'planted-header',
        authorization: 'Bearer planted-header',
        'content-type': type,
        'content-length': String(Buffer.byteLength(order.body)),
      }),
    }
    expect(server.received).toEqual([same, same])
    expect(server.received.map(({ headers: { 'payment-signature': paid } }) => typeof paid)).toEqual([
      'undefined',
      'string',
    ])
  }
  const { app } = fixture
  const tables = await app.sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`
  const rows = tables.map(({ name }) => `select t::text as row from ${name} t`).join(' union all ')
  const planted = await app.sql.unsafe(`select row from (${rows}) r where row like '%planted-%'`)
  expect(planted).toEqual([])
  expect(app.log.lines.join('\n')).not.toContain('planted-')
  expect(tables.map(({ name }) => name)).toContain('public.agent_call_notes')
})

test('under one key another method, header or body is refused, a lost answer stays lost, and one payment was made', async () => {
  const server = await paidServer(2)
  server.losses = 1
  const session = await newSession({ max_total: '1000' })
  const before = await token.balanceOf(token.seller.address)
  const first = await payOverMcp(session, server, 'one-order', order)
  expect(first).toContain('payment_unconfirmed')
  expect(await payOverMcp(session, server, 'one-order', order)).toBe(first)
  for (const other of [
    { method: 'PUT' },
    { headers: { ...order.headers, 'X-Order': 'another' } },
    { body: '{}' },
  ])
    expect(await payOverMcp(session, server, 'one-order', { ...order, ...other })).toContain(
      'idempotency_key_reused',
    )
  expect(server.shown).toHaveLength(1)
  expect((await token.balanceOf(token.seller.address)) - before).toBe(price)
  expect(await spentOf(session)).toMatchObject({ spent: '250', reserved: '0' })
})

// The last ones, because they move this database's clock.
test("a payment is good from and until times of the database's clock", async () => {
  const shiftMs = 7_200_000
  await advanceClock(fixture.app.sql, shiftMs)
  const server = await paidServer(2)
  const session = await newSession({ max_total: '1000' }, fixture.agent, {
    expires_at: new Date(Date.now() + shiftMs + 3_600_000).toISOString(),
  })
  await pay(session, { url: server.url })
  const [shown] = server.shown
  const { validAfter, validBefore } = (shown?.payload.authorization ?? {}) as Record<string, string>
  const now = (Date.now() + shiftMs) / 1_000
  expect(Math.abs(Number(validAfter) - (now - 600))).toBeLessThan(60)
  expect(Number(validBefore)).toBeGreaterThan(now)
})

test('a key names one payment of its session and of its day: another session and the next day pay by a nonce of their own', async () => {
  const server = await paidServer(1)
  const lasting = () =>
    newSession({ max_total: '1000' }, fixture.agent, {
      expires_at: new Date(Date.now() + 7 * 86_400_000).toISOString(),
    })
  const [session, other] = [await lasting(), await lasting()]
  const first = await payOverMcp(session, server, 'daily-report')
  expect(await payOverMcp(session, server, 'daily-report')).toBe(first)
  await payOverMcp(other, server, 'daily-report')
  await advanceClock(fixture.app.sql, 86_400_000)
  await payOverMcp(session, server, 'daily-report')
  expect(server.shown).toHaveLength(3)
  expect(new Set(server.shown.map(({ payload }) => payload.authorization.nonce)).size).toBe(3)
})
