import { randomUUID } from 'node:crypto'
import { signedHeaders } from '@symbolon/server/testing/webhooks'
import { makeAgent, mintSession, type RunOwner, runReaches, startRun } from '@symbolon/testing/agents'
import {
  callAs,
  makeTenant,
  makeWalletFor,
  newMember,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

const place = '{{objective}}'
const bytesMax = 65_536

let app: TestApp
let tenant: Tenant
let owner: RunOwner

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
  owner = { member: await newMember(app, tenant.id, 'owner'), organizationId: tenant.id }
})
afterAll(() => app?.stop())

async function newAgent(template: string, runner = 'scripted') {
  const walletId = (await makeWalletFor(app, tenant)).id
  const agent = await makeAgent(app, { ...owner, walletId }, { objective_template: template, runner })
  return { ...agent, walletId }
}

const startAt = (agentId: string, objective: string) =>
  callAs(app, owner.member, ['POST', `/v1/orgs/${tenant.id}/agents/${agentId}/runs`, { objective }])

const runsOf = async (agentId: string) =>
  (await app.sql`select 1 from agent_runs where agent_id = ${agentId}`).length

test('a template multiplies an objective up to 64 KiB: one byte more is refused', async () => {
  const most = 4_096
  const agent = await newAgent(place.repeat(bytesMax / most))
  expect((await startAt(agent.id, 'x'.repeat(most))).status).toBe(201)
  // Two bytes a letter.
  for (const objective of ['x'.repeat(most + 1), 'ä'.repeat(most / 2 + 1)])
    expect(await startAt(agent.id, objective)).toMatchObject({
      status: 400,
      error: { code: 'invalid_request', message: expect.stringContaining('64 KiB') },
    })
  expect(await runsOf(agent.id)).toBe(1)
})

test('so it is for a message over A2A and for a call', async () => {
  const agent = await newAgent(place.repeat(630))
  const { token } = await mintSession(app, tenant, agent.walletId, { agent_id: agent.id })
  const call = { tool: 'sign_message', arguments: { message: 'x'.repeat(1_000) } }
  const at = `${app.url}/v1/agents/${agent.id}/a2a`
  for (const part of [
    { kind: 'text', text: 'x'.repeat(60_000) },
    { kind: 'data', data: call },
  ]) {
    const message = { kind: 'message', messageId: randomUUID(), role: 'user', parts: [part] }
    const response = await fetch(at, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } }),
    })
    expect(await response.json()).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/64 KiB/) },
    })
  }
  expect(await runsOf(agent.id)).toBe(0)
})

test('so it is for a delivery to a hook, whose own places are few', async () => {
  const agent = await newAgent(place.repeat(630))
  const { data } = await callAs<{ id: string; secret: string }>(app, owner.member, [
    'POST',
    `/v1/orgs/${tenant.id}/agents/${agent.id}/hooks`,
    { name: 'Invoices', objective_template: '{{payload}}'.repeat(744) },
  ])
  const body = '{"paid":true}'
  const delivery = { id: randomUUID(), timeMs: Date.now(), body: Buffer.from(body) }
  const headers = signedHeaders(delivery, { secrets: [data.secret], sign: () => new Uint8Array(64) })
  expect(await app.call('POST', `/v1/hooks/agents/${data.id}`, { body, headers })).toMatchObject({
    status: 400,
    error: { code: 'invalid_request' },
  })
  expect(await runsOf(agent.id)).toBe(0)
})

test('so it is for a delegation, whose refusal the agent reads', async () => {
  const [boss, worker] = await Promise.all([newAgent(place), newAgent(place.repeat(630))])
  const call = { agent_id: worker.id, objective: `say ${'x'.repeat(200)}` }
  const run = await startRun(app, owner, boss.id, `call delegate ${JSON.stringify(call)}\nsay done`)
  const { journal } = await runReaches(app, owner, run)
  expect(journal.find(({ kind }) => kind === 'result')?.output).toMatchObject({
    ok: false,
    error: { code: 'objective_too_long' },
  })
  expect(await runsOf(worker.id)).toBe(0)
})
