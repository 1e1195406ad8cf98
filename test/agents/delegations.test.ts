import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { join } from 'node:path'
import type { Agent } from '@symbolon/api'
import { openSecretsFile } from '@symbolon/server/testing/adapters'
import { type PlatformKey, platformKey } from '@symbolon/server/testing/organizations'
import {
  makeAgent,
  mintSession,
  type RunOwner,
  readRun,
  runReaches,
  startRun,
} from '@symbolon/testing/agents'
import {
  callAs,
  makeTenant,
  makeWalletFor,
  newMember,
  ownOrigin,
  startClock,
  startTestApp,
  stopClock,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { delegationMint } from './delegation-mint.ts'

let app: TestApp
let key: PlatformKey
let mint: ReturnType<typeof delegationMint>
let tenant: Tenant
let owner: RunOwner
let boss: Agent
let worker: Agent
/** A run of the boss that is under way. */
let parent: { organizationId: string; agentId: string; runId: string; depth: number }

beforeAll(async () => {
  app = await startTestApp()
  key = platformKey(openSecretsFile(join(app.folder, 'secrets.json')).pepper)
  mint = delegationMint(app)
  tenant = await makeTenant(app)
  owner = { member: await newMember(app, tenant.id, 'owner'), organizationId: tenant.id }
  const newAgent = async (): Promise<Agent> => {
    const walletId = (await makeWalletFor(app, tenant)).id
    return makeAgent(app, { ...owner, walletId }, { runner: 'scripted' })
  }
  boss = await newAgent()
  worker = await newAgent()
  parent = await running()
})
afterAll(() => app?.stop())

async function running() {
  const run = await startRun(app, owner, boss.id, 'sleep 60000')
  await runReaches(app, owner, run, ['running'])
  return { organizationId: tenant.id, agentId: boss.id, runId: run.id, depth: 0 }
}

/** Sends a task to an agent with a token. */
const call = (token: string, { agent = worker, id = randomUUID(), text = 'say hello' } = {}) =>
  app.call('POST', `/v1/agents/${agent.id}/a2a`, {
    token,
    json: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tasks/send',
      params: { id, message: { role: 'user', parts: [{ type: 'text', text }] } },
    },
  })
const isRefused = async (token: string, options: Parameters<typeof call>[1] = {}) => {
  const { status, error } = await call(token, options)
  expect([status, error?.code]).toEqual([401, 'unauthorized'])
}

/** The token with its claims changed, signed by somebody. */
async function forged(
  claims: object,
  header: object = {},
  signer = (bytes: Buffer) => Buffer.from(key.sign(bytes)),
) {
  const [head = '', payload = ''] = (await mint(parent, worker.id)).slice('ac_live_'.length).split('.')
  const change = (part: string, more: object) =>
    Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(part, 'base64url').toString('utf8')), ...more }),
    ).toString('base64url')
  const signed = `${Object.keys(header).length > 0 ? change(head, header) : head}.${change(payload, claims)}`
  return `ac_live_${signed}.${signer(Buffer.from(signed)).toString('base64url')}`
}

test('a delegation starts one child of the run, on the wallet of the agent that is called', async () => {
  const token = await mint(parent, worker.id)
  const { status, text } = await call(token)
  expect(status).toBe(200)
  expect(JSON.parse(text)).toMatchObject({ result: { status: { state: expect.any(String) } } })
  const { children } = await readRun(app, owner, { id: parent.runId, agent_id: boss.id })
  expect(children).toHaveLength(1)
  const child = await runReaches(app, owner, { id: children[0] ?? '', agent_id: worker.id })
  expect(child).toMatchObject({
    parent_run_id: parent.runId,
    depth: 1,
    source: 'delegation',
    state: 'completed',
    session_id: worker.session_id,
  })
  await isRefused(token)
})

test('it is a JWS that anybody can verify with the keys of the platform', async () => {
  const token = await mint(parent, worker.id)
  const { payload, protectedHeader } = await jwtVerify(token.slice('ac_live_'.length), await importKey(), {
    algorithms: ['EdDSA'],
    audience: worker.id,
    issuer: ownOrigin,
  })
  expect(protectedHeader).toEqual({ alg: 'EdDSA', kid: key.jwk.kid, typ: 'agent-delegation+jwt' })
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(120)
  expect(payload).toMatchObject({ org: tenant.id, run: parent.runId, sub: boss.id, depth: 0 })
})

const importKey = async () => (await import('jose')).importJWK({ ...key.jwk }, 'EdDSA')

test('two calls with one token at once: one passes', async () => {
  const token = await mint(parent, worker.id)
  const answers = await Promise.all(Array.from({ length: 8 }, () => call(token)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
})

test('it is for one agent, for 120 s, from a living run, and signed by the platform with its pinned algorithm', async () => {
  await isRefused(await mint(parent, boss.id))
  await isRefused(await mint({ ...parent, organizationId: randomUUID() }, worker.id))
  await isRefused(await mint({ ...parent, depth: 1 }, worker.id))
  await isRefused(await mint({ ...parent, agentId: worker.id }, worker.id))
  await isRefused(await mint({ ...parent, runId: randomUUID() }, worker.id))
  await isRefused(await forged({ exp: Math.floor(Date.now() / 1_000) + 600 }))
  await isRefused(await forged({ iss: 'https://elsewhere.example.test' }))
  await isRefused(await forged({ extra: 1 }))
  await isRefused(await forged({}, { alg: 'none' }))
  await isRefused(await forged({}, { alg: 'none' }, () => Buffer.alloc(0)))
  await isRefused(await forged({}, { kid: 'other' }))
  const strangers = generateKeyPairSync('ed25519').privateKey
  await isRefused(await forged({}, {}, (bytes) => sign(null, bytes, strangers)))
  await isRefused(await forged({}, {}, () => Buffer.from(createHash('sha512').update('x').digest())))
  const token = await mint(parent, worker.id)
  await isRefused(`${token}=`)
  await isRefused(token.slice(0, -1))
  await isRefused('ac_live_')

  const nowMs = Date.now()
  await stopClock(app, nowMs + 121_000)
  try {
    expect((await call(token)).error?.code).toBe('token_expired')
  } finally {
    await startClock(app)
  }
  expect((await call(token)).status).toBe(200)

  const ended = await running()
  const late = await mint(ended, worker.id)
  await callAs(app, owner.member, [
    'POST',
    `/v1/orgs/${tenant.id}/agents/${boss.id}/runs/${ended.runId}/cancel`,
  ])
  await isRefused(late)
})

test('a child that a delegate has started over A2A asks the delegate, who answers with another delegation', async () => {
  const living = await running()
  const id = randomUUID()
  expect((await call(await mint(living, worker.id), { id, text: 'ask Which?\nsay thanks' })).status).toBe(200)
  const [row] = await app.sql<{ id: string }[]>`select id from agent_runs where caller_key = ${id}`
  const child = { id: row?.id ?? '', agent_id: worker.id }
  await runReaches(app, owner, child, ['awaiting_input'])
  expect((await call(await mint(living, worker.id), { id, text: 'this one' })).status).toBe(200)
  expect(await runReaches(app, owner, child)).toMatchObject({
    state: 'completed',
    result: { text: 'thanks' },
  })
})

test('the ninth child of a run is refused', async () => {
  const many = await running()
  for (let i = 0; i < 8; i++) expect((await call(await mint(many, worker.id))).status).toBe(200)
  const ninth = await call(await mint(many, worker.id))
  expect(ninth.text).toContain('8 times')
  const { children } = await readRun(app, owner, { id: many.runId, agent_id: boss.id })
  expect(children).toHaveLength(8)
})

test("a token's task delegates to no agent with the token's wallet, where the token's policy would be left behind", async () => {
  const walletId = boss.wallet_id
  const twin = await makeAgent(app, { ...owner, walletId }, { runner: 'scripted' })
  const { token } = await mintSession(app, tenant, walletId, { agent_id: boss.id, allowed_methods: [] })
  const sign = { tool: 'sign_message', arguments: { message: 'anything', chain: 'base' } }
  const delegate = (id: string, objective: unknown) =>
    `call delegate ${JSON.stringify({ agent_id: id, objective })}`
  // By itself, by its twin, and by way of an agent with another wallet.
  for (const text of [
    delegate(boss.id, sign),
    delegate(twin.id, sign),
    delegate(worker.id, delegate(boss.id, sign)),
  ]) {
    const id = randomUUID()
    expect((await call(token, { agent: boss, id, text })).status).toBe(200)
    const [run] = await app.sql<{ id: string }[]>`select id from agent_runs where caller_key = ${id}`
    const done = await runReaches(app, owner, { id: run?.id ?? '', agent_id: boss.id })
    expect(JSON.stringify(done.result)).toContain('same_wallet')
    expect(JSON.stringify(done)).not.toContain('signature')
  }
})
