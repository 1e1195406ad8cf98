import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, AgentRun } from '@symbolon/api'
import type { PlatformProcesses } from '@symbolon/testing/platform'
import type { Hex } from 'viem'
import { expect } from 'vitest'
import { amount, type DeathSite, dieAtGate, makeAgent } from './death-site.ts'

/** Where a run is when its process dies: at a write of the parent's or the child's journal, or where its transaction is written. */
export type DeathPoint = { of: 'parent' | 'child' | 'transaction'; seq: number; written: boolean }

type Case = { point: DeathPoint; parent: Agent; child: Agent; sender: Hex; to: Hex; run: AgentRun }

/**
 * Kills every process while an agent with a model has its answer written down and nothing done of it yet; expects the run to go on with
 * that very answer. `asked` counts the questions to the model.
 */
export async function expectAskedOnceThroughDeath(
  site: DeathSite,
  { asked, to }: { asked: () => number; to: Hex },
): Promise<void> {
  const { sql } = site.platform
  const agent = await makeAgent(site, 'llm')
  await site.chain.fund(agent.address, amount * 10n)
  await sql`insert into gates (agent_id, seq) values (${agent.id}, 2)`
  const run = await dieAtGate(site, 1, false, () => startRun(site, agent, 'pay the invoice'))
  expect(await completed(site, run)).toBe('completed')
  expect(await journalOf(sql, agent.id)).toEqual(['think', 'tool', 'result', 'think', 'end'])
  expect(asked()).toBe(2)
  expect(BigInt(await site.rpc.call<Hex>('eth_getBalance', [to, 'latest']))).toBe(amount)
}

/** Kills every process right before each write after the operation is built; expects one operation to have been submitted for each run. */
export async function expectOneOperationThroughDeath(site: DeathSite): Promise<void> {
  const { sql } = site.platform
  const agents = await Promise.all([makeAgent(site), makeAgent(site)])
  for (const [i, { id }] of agents.entries())
    await sql`insert into gates (agent_id, seq) values (${id}, ${3 + i})`
  const calls = [{ to: `0x${randomBytes(20).toString('hex')}` }]
  const objective = { tool: 'send_user_operation', arguments: { chain: 'local', calls } }
  const runs = await dieAtGate(site, 2, false, () =>
    Promise.all(agents.map((agent) => startRun(site, agent, objective))),
  )
  for (const [i, run] of runs.entries()) {
    expect(await completed(site, run)).toBe('completed')
    const { id = '', wallet_id = '' } = agents[i] ?? {}
    expect(await journalOf(sql, id)).toEqual(['think', 'tool', 'note', 'result', 'think', 'end'])
    const submitted =
      await sql`select 1 from user_operations where wallet_id = ${wallet_id} and submitted_at is not null`
    expect(submitted).toHaveLength(1)
  }
}

/**
 * Starts a delegation for each point, lets all of them get there, kills every process of the API at once, and expects each of them to end
 * as if nothing had happened: its money sent exactly once.
 */
export async function expectOnceThroughDeath(site: DeathSite, points: readonly DeathPoint[]): Promise<void> {
  const { sql } = site.platform
  const agents = await Promise.all(points.map(() => makeAgents(site)))
  for (const [i, { of, seq }] of points.entries()) {
    const { parent, child } = agents[i] as (typeof agents)[number]
    if (of === 'transaction') await sql`insert into gates (wallet_id) values (${child.wallet_id})`
    else
      await sql`insert into gates (agent_id, seq) values (${(of === 'parent' ? parent : child).id}, ${seq})`
  }
  const isWritten = points.every(({ written }) => written)
  const cases = await dieAtGate(site, points.length, isWritten, async () => {
    const begun: Case[] = []
    for (const [i, made] of agents.entries()) begun.push(await begin(site, made, points[i] as DeathPoint))
    return begun
  })
  for (const one of cases) await expectDone(site, one)
}

async function makeAgents(site: DeathSite) {
  const [parent, child] = await Promise.all([makeAgent(site), makeAgent(site)])
  await site.chain.fund(child.address, amount * 10n)
  return { parent, child }
}

async function begin(
  site: DeathSite,
  { parent, child }: Awaited<ReturnType<typeof makeAgents>>,
  point: DeathPoint,
): Promise<Case> {
  const to: Hex = `0x${randomBytes(20).toString('hex')}`
  const objective = `delegate to ${child.id}: send 0.01 ETH on local to ${to}`
  return { point, parent, child, sender: child.address, to, run: await startRun(site, parent, objective) }
}

async function startRun(
  { platform, organizationId, headers }: DeathSite,
  agent: Agent,
  objective: string | object,
): Promise<AgentRun> {
  const path = `/v1/orgs/${organizationId}/agents/${agent.id}/runs`
  const started = await platform.apis[0]?.call(path, { method: 'POST', headers, body: { objective } })
  if (started?.status !== 201) throw new Error(started?.text)
  return started.data as unknown as AgentRun
}

const kinds = {
  parent: ['think', 'tool', 'delegate', 'resume', 'think', 'end'],
  child: ['think', 'tool', 'result', 'think', 'end'],
}

async function expectDone(site: DeathSite, one: Case): Promise<void> {
  const { rpc } = site
  const { sql } = site.platform
  const { point, parent, child, sender, to, run } = one
  const state = await completed(site, run)
  const seen = {
    point,
    state,
    balance: BigInt(await rpc.call<Hex>('eth_getBalance', [to, 'latest'])),
    sent: Number(await rpc.call<Hex>('eth_getTransactionCount', [sender, 'latest'])),
    parent: await journalOf(sql, parent.id),
    child: await journalOf(sql, child.id),
    allowed: (await sql`select 1 from agent_events where session_id = ${child.session_id}`).length,
  }
  expect(seen).toEqual({ point, state: 'completed', balance: amount, sent: 1, ...kinds, allowed: 1 })
}

/** Waits for the run's end; answers the state that it has then, or after half a minute. */
async function completed({ platform: { sql } }: DeathSite, { id }: AgentRun): Promise<string | undefined> {
  const read = async () =>
    (await sql<{ state: string }[]>`select state from agent_runs where id = ${id}`)[0]?.state
  for (let i = 0; (await read()) !== 'completed' && i < 1_500; i++) await sleep(20)
  return read()
}

async function journalOf(sql: PlatformProcesses['sql'], agentId: string): Promise<string[]> {
  const rows = await sql<{ kind: string; seq: number }[]>`
    select s.kind, s.seq from agent_run_steps s join agent_runs r on r.id = s.run_id where r.agent_id = ${agentId} order by s.seq`
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, i) => i + 1))
  return rows.map(({ kind }) => kind)
}
