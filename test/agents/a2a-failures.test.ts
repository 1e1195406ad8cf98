import { randomUUID } from 'node:crypto'
import type { Agent } from '@symbolon/api'
import { type A2aFixture, a2aFixture, eventually } from '@symbolon/testing/agents'
import { makeWalletFor } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let fixture: A2aFixture
/** One call is its run, whose end is the call's. */
let agent: Agent
let token: string
let at: string

beforeAll(async () => {
  fixture = await a2aFixture()
  agent = await fixture.newAgent({ runner: 'intent' })
  token = (await fixture.newSession(agent.id, { allowed_chains: ['local'] })).token
  at = `${fixture.app.url}/v1/agents/${agent.id}`
})
afterAll(() => fixture?.app.stop())

type Part = Record<string, unknown>

/** The parts of the status of a task that has failed, in the words of each generation. */
async function failureOf(data: object) {
  const v10 = { token, at, headers: { 'a2a-version': '1.0' } }
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ data }] }
  const { task } = (await fixture.rpc('SendMessage', { message }, v10)).body.result
  expect(task.status.state).toBe('TASK_STATE_FAILED')
  const listed = (await fixture.rpc('ListTasks', { pageSize: 1 }, v10)).body.result.tasks[0]
  expect(listed.status).toEqual(task.status)
  const legacy = (await fixture.rpc('tasks/get', { id: task.id }, { token, at })).body.result
  expect(legacy.status.state).toBe('failed')
  return { now: task.status.message.parts as Part[], before: legacy.status.message.parts as Part[] }
}

const finish = (result: unknown) => ({ tool: 'finish', arguments: { status: 'failed', result } })

test('an agent’s failure reaches the caller in words and as data, in each generation', async () => {
  const result = { reason: 'invoice 7 has no VAT id' }
  const text = `failed_by_agent: ${JSON.stringify(result)}`
  const { now, before } = await failureOf(finish(result))
  expect(now).toMatchObject([{ text }, { data: result }])
  expect(before).toMatchObject([
    { kind: 'text', type: 'text', text },
    { kind: 'data', type: 'data', data: result },
  ])
  const spoken = await failureOf(finish('the invoice is not signed'))
  expect(spoken.now).toMatchObject([{ text: 'failed_by_agent: the invoice is not signed' }])
  expect(spoken.before).toMatchObject([{ kind: 'text', text: 'failed_by_agent: the invoice is not signed' }])
  for (const bare of [7, [1, 'x'], true])
    expect((await failureOf(finish(bare))).now[0]).toMatchObject({
      text: `failed_by_agent: ${JSON.stringify(bare)}`,
    })
  expect((await failureOf(finish(null))).now).toMatchObject([{ text: 'failed_by_agent' }])
})

test('a long explanation is cut and still sent', async () => {
  const { now } = await failureOf(finish({ reason: 'short', log: 'x'.repeat(40_000) }))
  expect(now[1]).toMatchObject({
    data: { reason: 'short', log: expect.stringMatching(/^x{4096}… \(cut; 40000 characters in all\)$/) },
  })
})

test('a refusal by policy comes with its rule, limit and reason', async () => {
  const { now, before } = await failureOf({
    tool: 'sign_message',
    arguments: { message: 'hello', chain: 'optimism' },
  })
  const details = { reason: 'chain_not_allowed', layer: 'session', rule: 'allowed_chains' }
  expect(now[0]?.['text']).toMatch(/^chain_not_allowed: The policy refuses this/)
  expect(now[1]).toMatchObject({ data: { code: 'policy_violation', details } })
  expect(before[1]).toMatchObject({ kind: 'data', data: { code: 'policy_violation', details } })
})

test('the error of a delegate is passed on', async () => {
  const { id: walletId } = await makeWalletFor(fixture.app, fixture.tenant)
  const helper = await fixture.newAgent({ runner: 'intent', wallet_id: walletId })
  const result = { reason: 'no such supplier' }
  const objective = finish(result)
  const { now } = await failureOf({ tool: 'delegate', arguments: { agent_id: helper.id, objective } })
  expect(now).toMatchObject([
    { text: `failed_by_agent: ${JSON.stringify(result)}` },
    { data: { state: 'failed', error: 'failed_by_agent', result } },
  ])
})

test('a stream reports the failure as the task does', async () => {
  const result = { reason: 'no' }
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ data: finish(result) }] }
  const events = await fixture.rpc(
    'SendStreamingMessage',
    { message },
    { token, at, headers: { 'a2a-version': '1.0' } },
  )
  const last = await eventually(async () => events.body.at(-1).result.statusUpdate)
  expect(last.status.message.parts).toMatchObject([
    { text: `failed_by_agent: ${JSON.stringify(result)}` },
    { data: result },
  ])
})
