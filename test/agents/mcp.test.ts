import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type A2aWorld, a2aWorld } from '../support/a2a-world.ts'
import { callAs } from '../support/portal-user.ts'

let world: A2aWorld

beforeAll(async () => {
  world = await a2aWorld()
})
afterAll(() => world.app.stop())

async function connected(token = world.session.token): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(`${world.at}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  await client.connect(transport)
  return client
}

test('the official client lists the tools of the registry, without those that only a run has', async () => {
  const client = await connected()
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'get_balance',
    'get_policy',
    'get_transaction',
    'pay',
    'send_transaction',
    'send_user_operation',
    'sign_message',
  ])
  for (const { inputSchema, description } of tools) {
    expect(inputSchema.type).toBe('object')
    expect(description).toMatch(/\.$/)
  }
  await client.close()
})

test('a tool signs with the wallet of the session, and what the policy refuses says why', async () => {
  const client = await connected()
  const signed = await client.callTool({
    name: 'sign_message',
    arguments: { message: 'hello', chain: 'local' },
  })
  expect(signed.isError).not.toBe(true)
  expect(JSON.stringify(signed.content)).toMatch(/0x[0-9a-f]{130}/)
  const refused = await client.callTool({
    name: 'sign_message',
    arguments: { message: 'hello', chain: 'optimism' },
  })
  expect(refused).toMatchObject({ isError: true })
  expect(JSON.stringify(refused.content)).toMatch(/chain_not_allowed/)
  const unfit = await client.callTool({ name: 'sign_message', arguments: { message: 7 } })
  expect(unfit).toMatchObject({ isError: true })
  const unknown = await client.callTool({ name: 'format_disk', arguments: {} })
  expect(unknown).toMatchObject({ isError: true })
  const { session } = world
  const path = `/v1/orgs/${world.tenant.id}/agent-sessions/${session.id}/events`
  const { data } = await callAs<{ items: { outcome: string }[] }>(world.app, world.owner, ['GET', path])
  expect(data.items.map(({ outcome }) => outcome)).toEqual(['rejected', 'allowed'])
  await client.close()
})

test('only the own agent is served, by POST alone, and every request is whole by itself', async () => {
  const url = `${world.at}/mcp`
  const authorization = `Bearer ${world.session.token}`
  const ask = (headers: Record<string, string>, body: string) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body,
    })
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  expect((await ask({ authorization }, list)).status).toBe(200)
  const second = await world.newSession((await world.newAgent()).id)
  const forbidden = await ask({ authorization: `Bearer ${second.token}` }, list)
  expect(forbidden.status).toBe(403)
  expect(await forbidden.json()).toMatchObject({ error: { code: 'forbidden' } })
  expect((await ask({}, list)).status).toBe(401)
  expect(await (await ask({ authorization }, '{')).json()).toMatchObject({ error: { code: -32700 } })
  for (const method of ['GET', 'DELETE']) {
    const answer = await fetch(url, { method, headers: { authorization, accept: 'text/event-stream' } })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST')
  }
})

test('a revoked token uses no tool', async () => {
  const session = await world.newSession(world.agent.id)
  const client = await connected(session.token)
  await world.app.call('POST', `/v1/orgs/${world.tenant.id}/agent-sessions/${session.id}/revoke`, {
    sk: world.tenant.sk,
  })
  await expect(client.callTool({ name: 'get_policy', arguments: {} })).rejects.toThrow()
  await client.close()
})
