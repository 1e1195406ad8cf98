import type { AgentRun } from '@symbolon/api'
import { listedContents, tasksStore } from '@symbolon/server/testing/protocols'
import { type A2aFixture, a2aFixture, type RpcAnswer, runReaches, startRun } from '@symbolon/testing/agents'
import { callAs } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let fixture: A2aFixture

beforeAll(async () => {
  fixture = await a2aFixture()
})
afterAll(() => fixture?.app.stop())

const v10 = { headers: { 'a2a-version': '1.0' } }
const tasksMax = 100
const contentCharacters = 230_000
const pageBytesMax = 2_000_000

/** Ended runs of the caller with a result and a message as large as they come. */
async function largeRuns(count: number) {
  const agent = await fixture.newAgent()
  const { id, token } = await fixture.newSession(agent.id)
  const at = `${fixture.app.url}/v1/agents/${agent.id}`
  const caller = `session:${id}`
  await fixture.app.sql`
    with large as materialized (
      select g, gen_random_uuid() as id, repeat('x', ${contentCharacters}) as text from generate_series(1, ${count}::integer) g)
    insert into agent_runs (id, organization_id, agent_id, session_id, root_id, source, caller, state, objective, input, metadata,
      result, error, journal, created_at, updated_at, ended_at)
    select l.id, ${fixture.tenant.id}, ${agent.id}, ${id}, l.id, 'a2a', ${caller}, 'completed', l.text, '{}',
      jsonb_build_object('context_id', 'c-' || g % 2, 'message', jsonb_build_object('messageId', 'm-' || g, 'role', 'ROLE_USER',
        'parts', jsonb_build_array(jsonb_build_object('text', l.text)))),
      jsonb_build_object('x', l.text), null, 1, now(),
      now() - g * interval '1 second', now()
    from large l`
  const list = (params: object) => fixture.rpc('ListTasks', params, { ...v10, token, at })
  return { agent, caller, list }
}

/** All pages, one after the other. */
async function pages(list: (params: object) => Promise<RpcAnswer>, params: object): Promise<RpcAnswer[]> {
  const found: RpcAnswer[] = []
  for (let pageToken = ''; found.length === 0 || pageToken !== ''; ) {
    const answer = await list({ ...params, ...(pageToken && { pageToken }) })
    found.push(answer)
    pageToken = answer.body.result.nextPageToken ?? ''
  }
  return found
}

test('a page of tasks ends where it is large enough, and the pages together are all tasks, each once', async () => {
  const { list } = await largeRuns(40)
  const found = await pages(list, { pageSize: tasksMax, includeArtifacts: true, historyLength: 9 })
  for (const { text, body } of found) {
    expect(text.length).toBeLessThan(pageBytesMax)
    expect(body.result).toMatchObject({ totalSize: 40, pageSize: tasksMax })
  }
  const tasks = found.flatMap(({ body }) => body.result.tasks ?? [])
  expect(tasks).toHaveLength(40)
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(40)
  expect(tasks.every(({ artifacts }) => artifacts[0].parts[1].data.x.length === contentCharacters)).toBe(true)
  expect(tasks.every(({ history }) => history[0].parts[0].text.length === contentCharacters)).toBe(true)
  const times = tasks.map(({ status }) => status.timestamp)
  expect(times).toEqual([...times].sort().reverse())
  // A single one that is larger still is a page.
  const one = (await list({ pageSize: 1, includeArtifacts: true, historyLength: 1 })).body.result
  expect(one.tasks).toHaveLength(1)
})

test('a list reads no more of tasks than was asked for', async () => {
  const { agent, caller, list } = await largeRuns(20)
  const scope = { organizationId: fixture.tenant.id, agentId: agent.id, caller }
  const read = async (request: Parameters<typeof listedContents>[0]) => {
    const runs = await tasksStore.list(fixture.app.sql, scope, { limit: 20 }, listedContents(request))
    return JSON.stringify(runs).length / runs.length
  }
  const none = { historyLength: undefined, includeArtifacts: undefined }
  expect(await read(none)).toBeLessThan(1_000)
  expect(await read({ historyLength: 0, includeArtifacts: false })).toBeLessThan(1_000)
  expect(await read({ ...none, includeArtifacts: true })).toBeLessThan(1.1 * contentCharacters)
  // The objective is the message once more.
  expect(await read({ ...none, historyLength: 1 })).toBeLessThan(2.1 * contentCharacters)
  const { tasks, totalSize } = (await list({ pageSize: tasksMax, contextId: 'c-1' })).body.result
  expect(tasks).toHaveLength(10)
  expect(totalSize).toBe(10)
  expect(tasks[0]).toMatchObject({ contextId: 'c-1', status: { state: 'TASK_STATE_COMPLETED' } })
  expect(Object.keys(tasks[0]).sort()).toEqual(['contextId', 'id', 'metadata', 'status'])
})

test('the portal cuts what is long in a list and says so; the run itself is whole', async () => {
  const { agent } = await largeRuns(100)
  const path = `/v1/orgs/${fixture.tenant.id}/agents/${agent.id}/runs`
  type Listed = AgentRun & { truncated: string[] }
  const { text, data } = await callAs<{ items: Listed[]; total: number }>(fixture.app, fixture.owner, [
    'GET',
    `${path}?limit=200`,
  ])
  expect(text.length).toBeLessThan(pageBytesMax)
  expect(data).toMatchObject({ total: 100 })
  for (const { objective, result, truncated } of data.items) {
    expect(objective).toBe('x'.repeat(4096))
    expect(result).toBe(`{"x": "${'x'.repeat(4096 - 7)}`)
    expect(truncated).toEqual(['objective', 'result'])
  }
  const { data: whole } = await callAs<AgentRun>(fixture.app, fixture.owner, [
    'GET',
    `${path}/${data.items[0]?.id}`,
  ])
  expect(whole.objective).toHaveLength(contentCharacters)
  expect(whole.result).toEqual({ x: 'x'.repeat(contentCharacters) })
  const owner = { member: fixture.owner, organizationId: fixture.tenant.id }
  const small = await startRun(fixture.app, owner, agent.id, 'say little')
  await runReaches(fixture.app, owner, small)
  const { data: more } = await callAs<{ items: Listed[] }>(fixture.app, fixture.owner, [
    'GET',
    `${path}?limit=200`,
  ])
  expect(more.items.find(({ id }) => id === small.id) ?? more.items).toMatchObject({
    objective: 'say little',
    result: { text: 'little' },
    truncated: [],
  })
})

test('a result that is too large is refused to the agent, and cut where nobody could mend it', async () => {
  const owner = { member: fixture.owner, organizationId: fixture.tenant.id }
  const intent = await fixture.newAgent({ runner: 'intent' })
  const finish = (characters: number) => ({ tool: 'finish', arguments: { result: 'x'.repeat(characters) } })
  const refused = await startRun(fixture.app, owner, intent.id, finish(65_536))
  expect(await runReaches(fixture.app, owner, refused)).toMatchObject({
    state: 'failed',
    error: 'invalid_arguments',
    result: {
      details: { issues: [{ path: ['result'], message: '`result` must be at most 65536 bytes of JSON' }] },
    },
  })
  const fits = await startRun(fixture.app, owner, intent.id, finish(65_534))
  expect(await runReaches(fixture.app, owner, fits)).toMatchObject({ state: 'completed' })
})

test('a caller has a limited number of lists of contents under way, and more get an error', async () => {
  const { list } = await largeRuns(30)
  const params = { pageSize: tasksMax, includeArtifacts: true, historyLength: 9 }
  const spelledOtherwise = { page_size: tasksMax, include_artifacts: true, history_length: 9 }
  const answers = await Promise.all(Array.from({ length: 24 }, () => list(spelledOtherwise)))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]?.body).toMatchObject({ error: { code: 'rate_limited' } })
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(4)
  expect((await list(params)).status).toBe(200)
})
