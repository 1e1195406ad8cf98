import type { Agent, AgentPolicy } from '@symbolon/api'
import { type JsonRpc, jsonRpc } from '@symbolon/dev/testing/chain'
import {
  anyAddress,
  makeAgent,
  type RunOwner,
  readRun,
  runEvents,
  runReaches,
  startRun,
} from '@symbolon/testing/agents'
import {
  callAs,
  makeTenant,
  makeWalletFor,
  newMember,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import { advanceClock } from '@symbolon/testing/database'
import { type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let chain: SharedChain
let rpc: JsonRpc
let app: TestApp
let tenant: Tenant
let owner: RunOwner

beforeAll(async () => {
  chain = await sharedChain()
  rpc = jsonRpc(chain.rpcUrl)
  const { rpcUrl, bundlerUrl, paymasterUrl } = chain
  app = await startTestApp({
    chains: [{ handle: 'local', rpcUrls: [rpcUrl], bundlerUrl, paymasterUrl, confirmations: 1 }],
    userOpTimes: { waitMs: 10_000, resendSeconds: 30, roundMs: 200 },
  })
  tenant = await makeTenant(app)
  owner = { member: await newMember(app, tenant.id, 'owner'), organizationId: tenant.id }
})
afterAll(async () => {
  await app?.stop()
  rpc?.close()
})

const usual: AgentPolicy = {
  allowed_chains: ['local'],
  allowed_methods: ['signMessage', 'sendTransaction'],
  max_spend_per_tx_native: parseEther('0.1').toString(),
  max_spend_total_native: parseEther('0.2').toString(),
}

/** An agent with a wallet of its own, which has an ether. */
async function newAgent(
  more: { policy?: AgentPolicy; runner?: string } = {},
): Promise<Agent & { address: Hex }> {
  const wallet = await makeWalletFor(app, tenant)
  await chain.fund(wallet.address as Hex, parseEther('1'))
  const where = { ...owner, walletId: wallet.id }
  return { ...(await makeAgent(app, where, { policy: usual, ...more })), address: wallet.address as Hex }
}

const balanceOf = async (address: string) =>
  BigInt(await rpc.call<Hex>('eth_getBalance', [address, 'latest']))

describe('an intent agent', () => {
  test('sends what a sentence says, once, with the transaction in its journal and its events', async () => {
    const agent = await newAgent()
    const to = anyAddress()
    const run = await startRun(app, owner, agent.id, `send 0.05 ETH on local to ${to}`)
    const { state, result, journal, error } = await runReaches(app, owner, run)
    expect({ state, error }).toEqual({ state: 'completed', error: null })
    expect(result).toMatchObject({ tx_hash: expect.stringMatching(/^0x/), from: agent.address })
    expect(journal.map(({ kind }) => kind)).toEqual(['think', 'tool', 'result', 'think', 'end'])
    expect(await balanceOf(to)).toBe(parseEther('0.05'))
    const events = await runEvents(app, owner, run)
    expect(events).toMatchObject([
      { outcome: 'allowed', run_id: run.id, value: parseEther('0.05').toString() },
    ])
  })

  test('learns exactly why its policy refuses', async () => {
    const agent = await newAgent()
    const run = await startRun(
      app,
      owner,
      agent.id,
      `send 0.10000000000000001 ETH on local to ${anyAddress()}`,
    )
    expect(await runReaches(app, owner, run)).toMatchObject({
      state: 'failed',
      error: 'per_tx_cap_exceeded',
      result: {
        code: 'policy_violation',
        details: { layer: 'agent', limit: '100000000000000000', actual: '100000000000000010' },
      },
    })
    expect(await runEvents(app, owner, run)).toMatchObject([
      { outcome: 'rejected', reason_code: 'per_tx_cap_exceeded' },
    ])
  })

  test('pays no address whose checksum is wrong: a digit may be, too', async () => {
    const agent = await newAgent()
    const wrong = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293bC'
    const call = { to: wrong, value: '1', data: '0x' }
    for (const objective of [
      { tool: 'send_transaction', arguments: { chain: 'local', to: wrong, value: '1' } },
      { tool: 'send_user_operation', arguments: { chain: 'local', calls: [call] } },
    ]) {
      const run = await startRun(app, owner, agent.id, objective)
      const done = await runReaches(app, owner, run)
      expect(done).toMatchObject({ state: 'failed', error: 'invalid_arguments' })
      expect(JSON.stringify(done.result)).toContain('checksum')
      expect(await runEvents(app, owner, run)).toMatchObject([{ outcome: 'error', tx_hash: null }])
    }
    const sentence = await startRun(app, owner, agent.id, `send 1 wei on local to ${wrong}`)
    expect(await runReaches(app, owner, sentence)).toMatchObject({
      error: 'objective_not_understood',
      result: { message: expect.stringContaining('checksum') },
    })
    for (const right of [wrong.toLowerCase(), `0x${wrong.slice(2).toUpperCase()}`]) {
      const run = await startRun(app, owner, agent.id, `send 1 wei on local to ${right}`)
      expect(await runReaches(app, owner, run)).toMatchObject({ state: 'completed' })
    }
  })

  test('guesses nothing: a sentence that it does not understand fails its run', async () => {
    const agent = await newAgent()
    const run = await startRun(app, owner, agent.id, `please send all I have to ${anyAddress()}`)
    expect(await runReaches(app, owner, run)).toMatchObject({
      state: 'failed',
      error: 'objective_not_understood',
      result: { message: expect.stringContaining('send 0.01 ETH on base to 0x…') },
    })
    expect(await runEvents(app, owner, run)).toEqual([])
  })

  test('reads balances, policy and transactions, and signs messages', async () => {
    const agent = await newAgent()
    const outcome = async (objective: string | object) => {
      const { state, result } = await runReaches(app, owner, await startRun(app, owner, agent.id, objective))
      expect({ state, result }).toMatchObject({ state: 'completed' })
      return result
    }
    expect(await outcome('balance on local')).toMatchObject({
      balance: parseEther('1').toString(),
      asset: 'ETH',
    })
    expect(await outcome('policy')).toMatchObject({ effective_policy: { allowed_chains: ['local'] } })
    expect(await outcome('sign message on local: hello')).toMatchObject({
      signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
    })
    const { tx_hash } = (await outcome(`send 0.01 ETH on local to ${anyAddress()}`)) as { tx_hash: string }
    expect(await outcome(`transaction ${tx_hash} on local`)).toMatchObject({ status: 'confirmed' })
  })

  test('has its smart account make calls, evaluated like any transaction', async () => {
    const agent = await newAgent()
    const to = anyAddress()
    const call = { to, value: '0', data: '0x' }
    const operation = (value: string) => ({
      tool: 'send_user_operation',
      arguments: { chain: 'local', calls: [{ ...call, value }] },
    })
    const done = await runReaches(app, owner, await startRun(app, owner, agent.id, operation('0')))
    expect(done).toMatchObject({ state: 'completed', result: { status: 'confirmed', success: true } })
    expect(done.journal.map(({ kind }) => kind)).toEqual(['think', 'tool', 'note', 'result', 'think', 'end'])
    const refused = await runReaches(
      app,
      owner,
      await startRun(app, owner, agent.id, operation(parseEther('0.11').toString())),
    )
    expect(refused.state).toBe('failed')
    expect(await runEvents(app, owner, refused)).toMatchObject([
      { outcome: 'error', reason_code: 'estimate_gas_reverted', chain: 'local', method: 'sendTransaction' },
    ])
  })

  test('keeps no gas of its owner for an operation that its policy refuses', async () => {
    const agent = await newAgent({ policy: { ...usual, allowed_recipients: [anyAddress()] } })
    const objective = {
      tool: 'send_user_operation',
      arguments: { chain: 'local', calls: [{ to: anyAddress(), value: '0', data: '0x' }] },
    }
    const refused = await runReaches(app, owner, await startRun(app, owner, agent.id, objective))
    const [event] = await runEvents(app, owner, refused)
    expect(event).toMatchObject({ outcome: 'rejected', reason_code: 'recipient_not_allowed' })
    const hash = /0x[0-9a-f]{64}/.exec(JSON.stringify(refused.journal))?.[0] ?? ''
    expect(await app.sql`select state from user_operations where hash = ${hash}`).toEqual([
      { state: 'expired' },
    ])
  })

  test('whose arguments do not fit has tried to sign all the same, once', async () => {
    const agent = await newAgent()
    const send = { tool: 'send_transaction', arguments: { chain: 'local', to: anyAddress(), data: '0x1' } }
    const run = await runReaches(app, owner, await startRun(app, owner, agent.id, send))
    expect(run.state).toBe('failed')
    expect(await runEvents(app, owner, run)).toMatchObject([
      { outcome: 'error', reason_code: 'invalid_request' },
    ])
  })

  test('goes on past the end that its policy had when its policy is given more time', async () => {
    const until = (ms: number) => ({ ...usual, expires_at: new Date(Date.now() + ms).toISOString() })
    const agent = await newAgent({ policy: until(60_000) })
    const hello = async () =>
      runReaches(app, owner, await startRun(app, owner, agent.id, 'sign message on local: hello'))
    expect(await hello()).toMatchObject({ state: 'completed' })
    const path = `/v1/orgs/${tenant.id}/agents/${agent.id}`
    const changed = await callAs(app, owner.member, ['PATCH', path, { policy: until(86_400_000) }])
    expect(changed.status, changed.text).toBe(200)
    await advanceClock(app.sql, 61_000)
    expect(await hello()).toMatchObject({ state: 'completed', error: null })
  })
})

describe('delegation', () => {
  test('makes a run of the other agent, with its own wallet, and goes on with its outcome', async () => {
    const [boss, worker] = await Promise.all([newAgent(), newAgent()])
    const to = anyAddress()
    const run = await startRun(
      app,
      owner,
      boss.id,
      `delegate to ${worker.id}: send 0.02 ETH on local to ${to}`,
    )
    const done = await runReaches(app, owner, run)
    expect(done).toMatchObject({
      state: 'completed',
      result: { state: 'completed', result: { from: worker.address } },
    })
    expect(done.journal.map(({ kind }) => kind)).toEqual([
      'think',
      'tool',
      'delegate',
      'resume',
      'think',
      'end',
    ])
    const child = await readRun(app, owner, { id: done.children[0] ?? '', agent_id: worker.id })
    expect(child).toMatchObject({
      parent_run_id: run.id,
      depth: 1,
      source: 'delegation',
      session_id: worker.session_id,
    })
    expect(await balanceOf(to)).toBe(parseEther('0.02'))
    expect(await runEvents(app, owner, run)).toEqual([])
  })

  test('goes three deep and no deeper', async () => {
    const agents = await Promise.all(Array.from({ length: 5 }, () => newAgent()))
    const ids = agents.map(({ id }) => id)
    const objective = ids.slice(1).reduceRight((inner, id) => `delegate to ${id}: ${inner}`, 'policy')
    const done = await runReaches(app, owner, await startRun(app, owner, ids[0] ?? '', objective))
    expect(done.state).toBe('failed')
    const depths =
      await app.sql`select depth, state, error from agent_runs where agent_id = any(${ids}) order by depth`
    expect(depths.map((row) => row['depth'])).toEqual([0, 1, 2, 3])
    expect(depths.map((row) => row['error'])).toEqual(Array(4).fill('depth_limit'))
  })

  test('happens eight times at most in a run', async () => {
    const [boss, worker] = await Promise.all([newAgent({ runner: 'scripted' }), newAgent()])
    const call = `call delegate {"agent_id":"${worker.id}","objective":"policy"}`
    const run = await startRun(app, owner, boss.id, [...Array(9).fill(call), 'say done'].join('\n'))
    const done = await runReaches(app, owner, run)
    expect(done.children).toHaveLength(8)
    expect(done.journal.filter(({ kind }) => kind === 'result').at(-1)?.output).toMatchObject({
      ok: false,
      error: { code: 'children_limit' },
    })
  })

  test('finds no agent of another organization, nor an archived one', async () => {
    const elsewhere = await makeTenant(app)
    const stranger = { member: await newMember(app, elsewhere.id, 'owner'), organizationId: elsewhere.id }
    const wallet = await makeWalletFor(app, elsewhere)
    const [boss, foreign, archived] = await Promise.all([
      newAgent(),
      makeAgent(app, { ...stranger, walletId: wallet.id }),
      newAgent(),
    ])
    await callAs(app, owner.member, ['POST', `/v1/orgs/${tenant.id}/agents/${archived.id}/archive`])
    for (const { id } of [foreign, archived]) {
      const run = await startRun(app, owner, boss.id, `delegate to ${id}: policy`)
      expect(await runReaches(app, owner, run)).toMatchObject({ state: 'failed', error: 'agent_not_found' })
    }
  })
})

describe('a question', () => {
  const asked = { state: 'failed', error: 'nobody_to_ask', result: { question: 'Which vendor?' } }
  const asking = { tool: 'ask_user', arguments: { question: 'Which vendor?' } }

  test('that nobody can answer ends the run at once, and is its outcome', async () => {
    const agent = await newAgent()
    const done = await runReaches(app, owner, await startRun(app, owner, agent.id, asking))
    expect(done).toMatchObject(asked)
    expect(done.journal.map(({ kind }) => kind)).toEqual(['think', 'tool', 'end'])
    const scripted = await newAgent({ runner: 'scripted' })
    const lines = 'call get_policy\nask Which vendor?\nsay bought anyway'
    expect(await runReaches(app, owner, await startRun(app, owner, scripted.id, lines))).toMatchObject(asked)
  })

  test('of a child is what its parent gets, which goes on', async () => {
    const [boss, planner, worker] = await Promise.all([
      newAgent(),
      newAgent({ runner: 'scripted' }),
      newAgent({ runner: 'scripted' }),
    ])
    const run = await startRun(app, owner, boss.id, `delegate to ${worker.id}: ask Which vendor?`)
    expect(await runReaches(app, owner, run)).toMatchObject({
      state: 'failed',
      error: 'nobody_to_ask',
      result: asked,
    })
    const call = `call delegate ${JSON.stringify({ agent_id: worker.id, objective: 'ask Which vendor?' })}`
    const planned = await runReaches(
      app,
      owner,
      await startRun(app, owner, planner.id, `${call}\nsay Acme then`),
    )
    expect(planned).toMatchObject({ state: 'completed', result: { text: 'Acme then' } })
    expect(planned.journal.find(({ kind }) => kind === 'resume')?.output).toMatchObject(asked)
  })
})

describe('the end', () => {
  const sleeping = async () => {
    const [boss, worker] = await Promise.all([newAgent(), newAgent({ runner: 'scripted' })])
    const run = await startRun(app, owner, boss.id, `delegate to ${worker.id}: sleep 60000`)
    const { children } = await runReaches(app, owner, run, ['awaiting_delegate'])
    const child = { id: children[0] ?? '', agent_id: worker.id }
    await runReaches(app, owner, child, ['running'])
    return { boss, worker, run, child }
  }
  const stateOf = async (run: Parameters<typeof readRun>[2]) => (await readRun(app, owner, run)).state

  test('canceling a run cancels all that it has delegated', async () => {
    const { boss, run, child } = await sleeping()
    const path = `/v1/orgs/${tenant.id}/agents/${boss.id}/runs/${run.id}/cancel`
    const canceled = await callAs(app, owner.member, ['POST', path])
    expect(canceled.data).toMatchObject({ state: 'canceled' })
    expect(await stateOf(child)).toBe('canceled')
    expect((await callAs(app, owner.member, ['POST', path])).data).toMatchObject({ state: 'canceled' })
  })

  test('archiving an agent cancels its runs, and wakes who waits for them', async () => {
    const { worker, run, child } = await sleeping()
    await callAs(app, owner.member, ['POST', `/v1/orgs/${tenant.id}/agents/${worker.id}/archive`])
    expect(await stateOf(child)).toBe('canceled')
    expect(await runReaches(app, owner, run)).toMatchObject({ state: 'failed', error: 'delegate_canceled' })
    const started = await callAs(app, owner.member, [
      'POST',
      `/v1/orgs/${tenant.id}/agents/${worker.id}/runs`,
      { objective: 'policy' },
    ])
    expect(started.error).toMatchObject({ code: 'agent_archived' })
  })

  test('comes after 32 calls of tools', async () => {
    const agent = await newAgent({ runner: 'scripted' })
    const run = await startRun(app, owner, agent.id, Array(40).fill('call get_policy').join('\n'))
    expect(await runReaches(app, owner, run)).toMatchObject({
      state: 'failed',
      error: 'step_limit',
      steps: 32,
    })
  })

  test('comes when the time is over, by the clock of the database', async () => {
    const { run, child } = await sleeping()
    await advanceClock(app.sql, 16 * 60_000)
    expect(await runReaches(app, owner, child)).toMatchObject({ state: 'failed', error: 'time_limit' })
    expect(await runReaches(app, owner, run)).toMatchObject({ state: 'failed', error: 'time_limit' })
  })
})

test("another organization's runs answer as absent ones", async () => {
  const agent = await newAgent()
  const run = await startRun(app, owner, agent.id, 'policy')
  const elsewhere = await makeTenant(app)
  const stranger = await newMember(app, elsewhere.id, 'owner')
  const paths = [
    ['GET', `agents/${agent.id}/runs`],
    ['GET', `agents/${agent.id}/runs/${run.id}`],
    ['GET', `agents/${agent.id}/runs/${run.id}/events`],
    ['POST', `agents/${agent.id}/runs/${run.id}/cancel`],
  ] as const
  for (const [method, path] of paths) {
    const answer = await callAs(app, stranger, [method, `/v1/orgs/${elsewhere.id}/${path}`])
    expect({ path, code: answer.error?.code }).toEqual({ path, code: 'not_found' })
  }
})
