import type { AgentRun, SentAgentTransaction, SignResponse } from '@symbolon/api'
import { eip3009Token } from '@symbolon/dev/testing/chain'
import {
  type A2aFixture,
  a2aFixture,
  anyAddress,
  runReaches,
  signAs,
  startPaidServer,
  startRun,
  transferRequest,
} from '@symbolon/testing/agents'
import { type Answer, forgetRates, login, makeWallet, type User } from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import { built, newAccountOwner } from '@symbolon/testing/evm'
import { type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { allReceipts, eventsOfType, hashOf, payloadOf, verified } from './receipt-fixture.ts'

const hello = { type: 'message', message: 'hello', chain: 'local' } as const
const receipted = { ...hello, receipt: true } as const

let chain: SharedChain
let fixture: A2aFixture
let user: User

beforeAll(async () => {
  chain = await sharedChain()
  const { handle, rpcUrl, bundlerUrl, paymasterUrl } = chain
  fixture = await a2aFixture({
    chains: [{ handle, rpcUrls: [rpcUrl], bundlerUrl, paymasterUrl, confirmations: 1 }],
  })
  const { app, tenant, walletId } = fixture
  user = await login(app, tenant)
  await makeWallet(app, user)
  const { data } = await app.call<{ address: Hex }>('GET', `/v1/s2s/wallets/${walletId}`, { sk: tenant.sk })
  await chain.fund(data.address, parseEther('1'))
})
beforeEach(() => forgetRates(fixture.app))
afterAll(() => fixture?.app.stop())

const owner = () => ({ member: fixture.owner, organizationId: fixture.tenant.id })
const callOf = (tool: string, args: object) => ({ tool, arguments: args })

/** The run of a call, at its end. */
async function ran(call: object, agentId = fixture.agent.id): Promise<AgentRun['result']> {
  const run = await startRun(
    fixture.app,
    owner(),
    agentId,
    `call ${(call as { tool: string }).tool} ${JSON.stringify((call as { arguments: object }).arguments)}`,
  )
  const ended = await runReaches(fixture.app, owner(), run)
  expect(ended.state, JSON.stringify(ended.journal)).toBe('completed')
  return ended.result
}

async function overMcp(name: string, args: object, token = fixture.session.token) {
  const answer = await fetch(`${fixture.at}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  const text = await answer.text()
  const json = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '')
  return JSON.parse(json).result.structuredContent as Record<string, string>
}

async function overA2a(call: object) {
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ data: call }] }
  const { body } = await fixture.rpc('SendMessage', { message }, { headers: { 'a2a-version': '1.0' } })
  const text = JSON.stringify(body)
  return /"receipt":"([^"]+)"/.exec(text)?.[1] ?? expect.fail(text)
}

const receiptIn = (answer: Answer<{ receipt?: string | undefined }>): string =>
  answer.data?.receipt ?? expect.fail(answer.text)

const lanes: Record<string, () => Promise<string | undefined>> = {
  'a user': async () =>
    receiptIn(
      await fixture.app.call<SignResponse>('POST', '/v1/wallets/me/sign', { ...user, json: receipted }),
    ),
  'a backend': async () =>
    receiptIn(
      await fixture.app.call<SignResponse>('POST', '/v1/s2s/sign', {
        sk: fixture.tenant.sk,
        json: { ...receipted, wallet_id: fixture.walletId },
      }),
    ),
  'an agent': async () => receiptIn(await signAs(fixture.app, fixture.session.token, receipted)),
  'an agent on the route of backends': async () =>
    receiptIn(
      await fixture.app.call<SignResponse>('POST', '/v1/s2s/sign', {
        token: fixture.session.token,
        json: { ...transferRequest(anyAddress(), 3n), receipt: true, wallet_id: fixture.walletId },
      }),
    ),
  'a transaction that is sent': async () =>
    receiptIn(
      await fixture.app.call<z.output<typeof SentAgentTransaction>>('POST', '/v1/agents/me/transactions', {
        token: fixture.session.token,
        json: { chain: 'local', to: anyAddress(), value: '7', receipt: true },
      }),
    ),
  'a run': async () =>
    (
      (await ran(callOf('sign_message', { message: 'run', chain: 'local', receipt: true }))) as {
        receipt?: string
      }
    ).receipt,
  'a run that sends': async () =>
    (
      (await ran(
        callOf('send_transaction', { chain: 'local', to: anyAddress(), value: '1', receipt: true }),
      )) as {
        receipt?: string
      }
    ).receipt,
  'a run that makes its smart account call': async () =>
    (
      (await ran(
        callOf('send_user_operation', { chain: 'local', calls: [{ to: anyAddress() }], receipt: true }),
      )) as { receipt?: string }
    ).receipt,
  'a task over A2A': () => overA2a(callOf('sign_message', { message: 'a2a', chain: 'local', receipt: true })),
  'a tool over MCP': async () =>
    (await overMcp('sign_message', { message: 'mcp', chain: 'local', receipt: true }))['receipt'],
}

test.each(Object.keys(lanes))(
  '%s gets a receipt that verifies, is listed, and is in the audit log',
  async (lane) => {
    const { app, tenant } = fixture
    const jws = (await lanes[lane]?.()) ?? ''
    const receipt = await verified(app, jws)
    expect(receipt.organization_id).toBe(tenant.id)
    const listed = (await allReceipts(app, tenant)).filter((one) => one.receipt === jws)
    expect(listed).toEqual([
      {
        cursor: expect.any(Number),
        receipt_id: receipt.receipt_id,
        wallet_id: receipt.wallet_id,
        kid: expect.any(String),
        counter: receipt.counter,
        issued_at: receipt.issued_at,
        receipt: jws,
      },
    ])
    const events = await eventsOfType(app, tenant.id, 'wallet.signed')
    const own = events.filter(({ payload }) => payload['receipt_sha256'] === hashOf(jws))
    expect(own).toMatchObject([{ wallet_id: receipt.wallet_id, payload: { digest: receipt.digests[0] } }])
  },
)

test('an agent that pays (x402) gets the receipt of its payment when it asks', async () => {
  const token = await eip3009Token(chain)
  const { app, tenant, walletId, agent } = fixture
  const { data } = await app.call<{ address: Hex }>('GET', `/v1/s2s/wallets/${walletId}`, { sk: tenant.sk })
  await token.mint(data.address, 1_000n)
  const server = await startPaidServer(token, { version: 2, price: 5n })
  const payer = await fixture.newSession(agent.id, {
    allowed_tokens: [{ chain: 'local', token: token.address, max_total: '100' }],
  })
  const paid = await overMcp('pay', { url: server.url, receipt: true }, payer.token)
  await server.close()
  const receipt = await verified(app, paid['receipt'])
  expect(receipt.budget).toMatchObject([{ spent_before: '0', spent_after: '5' }])
})

test('an operation of a user has a receipt of its hash', async () => {
  const { app, tenant } = fixture
  const account = await newAccountOwner(app, tenant)
  const { user_op_hash } = await built(app, account, [{ to: anyAddress() }])
  const json = { type: 'user_operation', user_op_hash, chain: 'local', receipt: true }
  const { data } = await app.call<SignResponse>('POST', '/v1/wallets/me/sign', { ...account.user, json })
  expect(await verified(app, data.receipt)).toMatchObject({
    type: 'user_operation',
    effects: [{ kind: 'unknown' }],
  })
})

test('the budget of an agent adds up from receipt to receipt, and the same bytes again are the same spending', async () => {
  const { app, agent } = fixture
  const session = await fixture.newSession(agent.id)
  const ask = async (value: bigint, nonce: number) =>
    payloadOf(
      receiptIn(
        await signAs(app, session.token, {
          ...transferRequest(anyAddress(), value, { nonce }),
          receipt: true,
        }),
      ),
    ).budget?.find(({ asset }) => asset.includes('ETH'))
  expect(await ask(3n, 0)).toMatchObject({ spent_before: '0', spent_after: '3' })
  expect(await ask(4n, 1)).toMatchObject({ spent_before: '3', spent_after: '7' })
  const again = { ...transferRequest(anyAddress(), 5n, { nonce: 2 }), receipt: true }
  const [first, second] = [
    payloadOf(receiptIn(await signAs(app, session.token, again))),
    payloadOf(receiptIn(await signAs(app, session.token, again))),
  ]
  expect(second.budget).toEqual(first.budget)
  expect([second.signature, second.counter]).toEqual([first.signature, first.counter + 1])
})

describe('idempotency', () => {
  test('a repeat under a key has the first receipt, and the same request without one a new one', async () => {
    const { app, tenant, walletId } = fixture
    const call = (headers: Record<string, string> = {}) =>
      app.call<SignResponse>('POST', '/v1/s2s/sign', {
        sk: tenant.sk,
        json: { ...receipted, wallet_id: walletId },
        headers,
      })
    const key = { 'idempotency-key': crypto.randomUUID() }
    const [first, repeated, other] = [await call(key), await call(key), await call()]
    expect(receiptIn(repeated)).toBe(receiptIn(first))
    expect(receiptIn(other)).not.toBe(receiptIn(first))
    expect(payloadOf(receiptIn(other)).counter).toBe(payloadOf(receiptIn(first)).counter + 1)
  })

  test('a transaction that is asked for again after its process died has its first receipt', async () => {
    const { app, session } = fixture
    const json = { chain: 'local', to: anyAddress(), value: '9', receipt: true }
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const call = () =>
      app.call<z.output<typeof SentAgentTransaction>>('POST', '/v1/agents/me/transactions', {
        token: session.token,
        json,
        headers,
      })
    const first = await call()
    // As if the process had died after the commit: its answer is lost.
    await app.sql`update idempotency_keys set state = 'spent', status = null, sealed_answer = null
      where key = ${headers['idempotency-key']}`
    const again = await call()
    expect(again.data, again.text).toEqual(first.data)
    expect(again.headers.get('idempotent-replayed')).toBeNull()
    expect(receiptIn(again)).toBe(receiptIn(first))
  })
})

describe('who gets none', () => {
  test.each(['yes', 1, null, 'true', {}])(
    'a receipt that is %j is a malformed request in every lane',
    async (receipt) => {
      const { app, tenant, walletId, session } = fixture
      const bad = { ...hello, receipt }
      const answers = await Promise.all([
        app.call('POST', '/v1/wallets/me/sign', { ...user, json: bad }),
        app.call('POST', '/v1/s2s/sign', { sk: tenant.sk, json: { ...bad, wallet_id: walletId } }),
        signAs(app, session.token, bad),
        app.call('POST', '/v1/agents/me/transactions', {
          token: session.token,
          json: { chain: 'local', to: anyAddress(), receipt },
        }),
      ])
      expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(
        answers.map(() => [400, 'invalid_request']),
      )
      const tool = await overMcp('sign_message', { message: 'x', receipt })
      expect(tool).toMatchObject({ code: 'invalid_arguments' })
    },
  )

  test('a dry run, and a request that asks for none', async () => {
    const { app, tenant, session } = fixture
    const before = (await allReceipts(app, tenant)).length
    for (const json of [{ ...receipted, dry_run: true }, { ...hello, receipt: false }, hello]) {
      for (const answer of [
        await app.call<SignResponse>('POST', '/v1/wallets/me/sign', { ...user, json }),
        await signAs(app, session.token, json),
      ]) {
        expect(answer.status, answer.text).toBe(200)
        expect(answer.data).not.toHaveProperty('receipt')
      }
    }
    expect((await allReceipts(app, tenant)).length).toBe(before)
  })
})

test("with the organization's setting every signature has a receipt, whatever its request says", async () => {
  const other = await a2aFixture({ app: fixture.app })
  const { app, tenant } = other
  const settings = { type: 'system', id: 'test', isOwner: true } as const
  const before = await app.call<SignResponse>('POST', '/v1/s2s/sign', {
    sk: tenant.sk,
    json: { ...hello, wallet_id: other.walletId },
  })
  expect(before.data).not.toHaveProperty('receipt')
  await app.app.orgs.updateSettings(tenant.id, { receipts: true }, settings)
  const data = await app.call<{ address: Hex }>('GET', `/v1/s2s/wallets/${other.walletId}`, { sk: tenant.sk })
  await chain.fund(data.data.address, parseEther('1'))
  const own = { member: other.owner, organizationId: tenant.id }
  const runs = [
    'call sign_message {"message":"x","chain":"local"}',
    `call send_transaction {"chain":"local","to":"${anyAddress()}","value":"1"}`,
    `call send_user_operation {"chain":"local","calls":[{"to":"${anyAddress()}"}]}`,
  ]
  const member = await login(app, tenant)
  await makeWallet(app, member)
  for (const json of [hello, { ...hello, receipt: false }]) {
    const answers = [
      await app.call<SignResponse>('POST', '/v1/wallets/me/sign', { ...member, json }),
      await app.call<SignResponse>('POST', '/v1/s2s/sign', {
        sk: tenant.sk,
        json: { ...json, wallet_id: other.walletId },
      }),
      await signAs(app, other.session.token, json),
    ]
    for (const answer of answers) await verified(app, receiptIn(answer))
  }
  for (const objective of runs) {
    const ended = await runReaches(app, own, await startRun(app, own, other.agent.id, objective))
    expect(ended.state, JSON.stringify(ended.journal)).toBe('completed')
    await verified(app, (ended.result as { receipt?: string }).receipt)
  }
  const signed = (await eventsOfType(app, tenant.id, 'wallet.signed')).slice(1)
  const listed = await allReceipts(app, tenant)
  expect(signed.map(({ payload }) => payload['receipt_sha256'])).toEqual(
    listed.map(({ receipt }) => hashOf(receipt)),
  )
  expect(listed.map(({ cursor }) => cursor)).toEqual(listed.map((_, i) => i + 1))
})
