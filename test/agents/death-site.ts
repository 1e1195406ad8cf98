import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '@symbolon/api'
import { type JsonRpc, jsonRpc } from '@symbolon/dev/testing/chain'
import { joinOrganization } from '@symbolon/testing/app'
import type { SharedChain } from '@symbolon/testing/chain'
import type { PlatformProcesses } from '@symbolon/testing/platform'
import { createOrganization, createWalletFor, mintSecretKeys } from '@symbolon/testing/platform'
import type { Hex } from 'viem'

/** A platform whose writes can be held where something is being done, and an organization on it. */
export type DeathSite = {
  platform: PlatformProcesses
  chain: SharedChain
  rpc: JsonRpc
  organizationId: string
  headers: Record<string, string>
  nextKey: () => string
}

const lock = 4_711
/** What one payment of these tests moves, in wei. */
export const amount = 10_000_000_000_000_000n

/**
 * Puts gates before what agents write: a row of `gates` holds, until the lock is free, the journal at `seq` (`agent_id`), a transaction
 * (`wallet_id`), or a call under a key at its `place`: where it notes what it has decided, where its operation is submitted (`wallet_id`), or
 * where its answer is kept (`key`).
 */
export async function deathSite(platform: PlatformProcesses, chain: SharedChain): Promise<DeathSite> {
  const { sql, apis, baseUrl } = platform
  const [api] = apis
  if (api === undefined) throw new Error('There is no process.')
  await sql.unsafe(`
    create table gates (agent_id uuid, wallet_id uuid, seq integer, place text, key text);
    create function wait_at_gate() returns trigger language plpgsql as $$ begin
      if exists (select from gates g join agent_runs r on r.agent_id = g.agent_id where r.id = new.run_id and g.seq = new.seq)
        then perform pg_advisory_xact_lock(${lock}); end if;
      return new;
    end $$;
    create trigger gate before insert on agent_run_steps for each row execute function wait_at_gate();
    create function wait_to_send() returns trigger language plpgsql as $$ begin
      if exists (select from gates g where g.wallet_id = new.wallet_id and g.place is null) then perform pg_advisory_xact_lock(${lock}); end if;
      return new;
    end $$;
    create trigger gate before insert on agent_transactions for each row execute function wait_to_send();
    create function wait_in_call() returns trigger language plpgsql as $$ begin
      if exists (
        select from gates g where g.place = tg_argv[0] and case g.place
          when 'note' then g.wallet_id = (select s.wallet_id from agent_sessions s where s.id::text = to_jsonb(new) ->> 'session_id')
          when 'submit' then g.wallet_id::text = to_jsonb(new) ->> 'wallet_id'
          else g.key = to_jsonb(new) ->> 'key' end)
        then perform pg_advisory_xact_lock(${lock}); end if;
      return new;
    end $$;
    create trigger gate before insert on agent_call_notes for each row execute function wait_in_call('note');
    create trigger gate before update on user_operations for each row
      when (old.submitted_at is null and new.submitted_at is not null) execute function wait_in_call('submit');
    create trigger gate before update on idempotency_keys for each row
      when (new.state = 'answered') execute function wait_in_call('answer');`)
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

/** Starts what comes to `count` gates, kills every process of the API there, and lets new ones come, to whom its leases fall at once. */
export async function dieAtGate<started>(
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
  await platform.ready()
  return started
}

/** An agent with a wallet of its own that may spend two payments. */
export async function makeAgent(
  { platform, organizationId, headers, nextKey }: DeathSite,
  runner = 'intent',
) {
  const [api] = platform.apis
  if (api === undefined) throw new Error('There is no process.')
  const wallet = await createWalletFor(api, nextKey(), randomBytes(8).toString('hex'))
  const body = {
    name: 'Payer',
    wallet_id: wallet.data['id'],
    runner,
    // Fees count too: there is room for those of two payments, and none for a third one.
    policy: { max_spend_total_native: ((amount * 5n) / 2n).toString() },
  }
  const made = await api.call(`/v1/orgs/${organizationId}/agents`, { method: 'POST', headers, body })
  if (made.status !== 201) throw new Error(made.text)
  return { ...(made.data as unknown as Agent), address: wallet.data['address'] as Hex }
}

/** Resolves once so many writes wait at a gate. */
export async function waiting({ platform: { sql } }: DeathSite, count: number): Promise<void> {
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
