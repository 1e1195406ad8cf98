import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, AgentRun } from '@symbolon/api'
import type { Hex } from 'viem'
import { expect } from 'vitest'
import { type JsonRpc, jsonRpc } from '../../packages/dev/src/chain/json-rpc.ts'
import type { SharedChain } from '../support/chain.ts'
import type { PlatformProcesses } from '../support/platform.ts'
import { createOrganization, createWalletFor, mintSecretKeys } from '../support/platform-users.ts'
import { joinOrganization } from '../support/portal-user.ts'
import { advanceClock } from '../support/seed-organization.ts'

/** Where a run is when its process dies: at a write of the parent's or the child's journal, or where its transaction is written. */
export type DeathPoint = { of: 'parent' | 'child' | 'transaction'; seq: number; written: boolean }

/** A platform whose journal writes can be held, and an organization on it. */
export type DeathSite = {
  platform: PlatformProcesses
  chain: SharedChain
  rpc: JsonRpc
  organizationId: string
  headers: Record<string, string>
  nextKey: () => string
}

const lock = 4_711
const amount = 10_000_000_000_000_000n

/** Puts gates before the journal: a write that has one waits until the lock is free. */
export async function deathSite(platform: PlatformProcesses, chain: SharedChain): Promise<DeathSite> {
  const { sql, apis, baseUrl } = platform
  const [api] = apis
  if (api === undefined) throw new Error('There is no process.')
  await sql.unsafe(`
    create table gates (agent_id uuid, wallet_id uuid, seq integer);
    create function wait_at_gate() returns trigger language plpgsql as $$ begin
      if exists (select from gates g join agent_runs r on r.agent_id = g.agent_id where r.id = new.run_id and g.seq = new.seq)
        then perform pg_advisory_xact_lock(${lock}); end if;
      return new;
    end $$;
    create trigger gate before insert on agent_run_steps for each row execute function wait_at_gate();
    create function wait_to_send() returns trigger language plpgsql as $$ begin
      if exists (select from gates g where g.wallet_id = new.wallet_id) then perform pg_advisory_xact_lock(${lock}); end if;
      return new;
    end $$;
    create trigger gate before insert on agent_transactions for each row execute function wait_to_send();`)
  const organization = await createOrganization(api)
  const email = `owner-${randomBytes(6).toString('hex')}@example.test`
  const opened = await api.call('/dev/portal-session', { method: 'POST', body: { email } })
  const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? ''
  const { user } = JSON.parse(opened.text) as { user: { id: string } }
  await joinOrganization(platform, organization.id, { user: { ...user, email, cookie }, role: 'owner' })
  const keys = await mintSecretKeys(platform, organization.id, 4)
  let next = 0
  return {
    platform,
    chain,
    rpc: jsonRpc(chain.rpcUrl),
    organizationId: organization.id,
    headers: { cookie, origin: baseUrl },
    nextKey: () => keys[next++ % keys.length]?.key ?? '',
  }
}

type Case = { point: DeathPoint; parent: Agent; child: Agent; sender: Hex; to: Hex; run: AgentRun }

/**
 * Kills every process while an agent with a model has its answer written down and nothing done of it yet; expects the run to go on with
 * that very answer. `asked` tells how often the model was asked.
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

/** Starts what comes to `count` gates, kills every process of the API there, and lets new ones come after the leases' ends. */
async function dieAtGate<started>(
  site: DeathSite,
  count: number,
  isWritten: boolean,
  start: () => Promise<started>,
): Promise<started> {
  const { platform } = site
  const { sql } = platform
  const holder = await sql.reserve()
  await holder`select pg_advisory_lock(${lock})`
  let started: started
  try {
    started = await start()
    await waiting(site, count)
    killAll(platform)
    await sql`delete from gates`
    // What died before its write is rolled back, what died after it is not.
    if (!isWritten)
      await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = ${lock} and not granted`
  } finally {
    await holder`select pg_advisory_unlock(${lock})`
    holder.release()
  }
  await advanceClock(sql, 20_000)
  await platform.ready()
  return started
}

async function makeAgents(site: DeathSite) {
  const [parent, child] = await Promise.all([makeAgent(site), makeAgent(site)])
  await site.chain.fund(child.address, amount * 10n)
  return { parent, child }
}

async function makeAgent({ platform, organizationId, headers, nextKey }: DeathSite, runner = 'intent') {
  const [api] = platform.apis
  if (api === undefined) throw new Error('There is no process.')
  const wallet = await createWalletFor(api, nextKey(), randomBytes(8).toString('hex'))
  const body = {
    name: 'Payer',
    wallet_id: wallet.data['id'],
    runner,
    policy: { max_spend_total_native: (amount * 2n).toString() },
  }
  const made = await api.call(`/v1/orgs/${organizationId}/agents`, { method: 'POST', headers, body })
  if (made.status !== 201) throw new Error(made.text)
  return { ...(made.data as unknown as Agent), address: wallet.data['address'] as Hex }
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

async function waiting({ platform: { sql } }: DeathSite, count: number): Promise<void> {
  for (let i = 0; i < 400; i++) {
    const rows =
      await sql`select 1 from pg_locks where locktype = 'advisory' and objid = ${lock} and not granted`
    if (rows.length === count) return
    await sleep(10)
  }
  throw new Error('Not every run came to its gate.')
}

function killAll({ apis }: PlatformProcesses): void {
  const pids = apis.map((api) => api.workerPid())
  for (const pid of pids) if (pid !== undefined) process.kill(pid, 'SIGKILL')
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
