import { randomBytes, randomUUID } from 'node:crypto'
import { openPool, type Sql } from '@symbolon/server/pool'
import { type DecisionRecord, decisionsStore } from '@symbolon/server/testing/agents'
import { type AuditEvent, auditStore, type Entry } from '@symbolon/server/testing/audit'
import { plainArray, textArray } from '@symbolon/server/testing/db'
import { agentSessionsStore, type SessionRecord } from '@symbolon/server/testing/http'
import { budgetsStore } from '@symbolon/server/testing/spending'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillWallets } from '../../bench/volume/fill-wallets.ts'

// The functions on the way of every signature keep their plans: made while the tables were as good as empty, they have to read by
// index when the tables are full.

type Session = SessionRecord['session'] & { organizationId: string }

const rows = 5_000
const batch = 20
/** A few rows of each table for each of the batch, and far from all of one. */
const readMax = 8 * batch

let database: TestDatabase
let sql: Sql
let organizationId: string
let sessionIds: string[]
/** Every other transaction is limited. */
let signed = 0
const hash = (name: string, i: number) => Buffer.from(`${name} ${i}`.padEnd(32)).toString('hex')

beforeAll(async () => {
  database = await testDatabase()
  // The plans are a connection's.
  sql = openPool(database.url, { connectionsMax: 1, isPatient: true })
  organizationId = (await fillWallets(sql, 1)).organizationId
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`insert into organization_rules (organization_id, rules) values (${organizationId}, '{}')`
    await tx`insert into api_keys (id, organization_id, name, type, scope, hash, last4)
      values (${randomUUID()}, ${organizationId}, 'k', 'secret', 'full', decode(${hash('key', 0)}, 'hex'), 'last')`
    const [agent, session] = [randomUUID(), randomUUID()]
    await tx`
      insert into agents (id, organization_id, wallet_id, name, description, runner, objective_template, policy, skills, session_id)
      select ${agent}, ${organizationId}, w.id, 'a', '', 'r', '', '{}', '[]', ${randomUUID()} from wallets w`
    await tx`
      insert into agent_sessions (id, organization_id, agent_id, wallet_id, name, is_implicit, token_hash, token_hint, policy,
        sealed_under, effective, grant_sealed, clipped)
      select ${session}, ${organizationId}, ${agent}, w.id, 's', false, decode(${hash('token', 0)}, 'hex'), 'hint', '{}', '{}',
        '{}', 'sealed', '{}' from wallets w`
    await tx`insert into agent_tallies (owner) values (${session})`
  })
  sessionIds = await sessionsNow()
  await sql`vacuum analyze`
})

afterAll(async () => {
  await sql?.end({ timeout: 1 })
  await database?.drop()
})

const sessionsNow = async () =>
  (await sql<{ id: string }[]>`select id from agent_sessions order by token_hash`).map(({ id }) => id)

/** Copies a table's one row this often, with values that make the copies distinct. */
async function multiply(tx: Sql, table: string, changes: string): Promise<void> {
  await tx.unsafe(`
    insert into ${table} select r.*
    from (select * from ${table} limit 1) t, generate_series(1, ${rows}) i,
      jsonb_populate_record(null::${table}, to_jsonb(t) || ${changes}) r`)
}

const id = (name: string) => `md5('${name} ' || i)::uuid`

/** By another connection: a change of the replication role throws a connection's plans away. */
async function fill(): Promise<void> {
  await database.sql.begin(async (begun) => {
    const tx = begun as unknown as Sql
    await tx`set local session_replication_role = replica`
    await tx`delete from agent_counters`
    await multiply(tx, 'organizations', `jsonb_build_object('id', ${id('organization')}, 'slug', 'o' || i)`)
    await multiply(tx, 'organization_rules', `jsonb_build_object('organization_id', ${id('organization')})`)
    await multiply(
      tx,
      'organization_counters',
      `jsonb_build_object('organization_id', ${id('organization')})`,
    )
    await multiply(
      tx,
      'wallets',
      `jsonb_build_object('id', ${id('wallet')}, 'organization_id', ${id('organization')}, 'address', 'w' || i)`,
    )
    await multiply(
      tx,
      'api_keys',
      `jsonb_build_object('id', ${id('key')}, 'organization_id', ${id('organization')}, 'hash', rpad('key ' || i, 32))`,
    )
    await multiply(
      tx,
      'agents',
      `jsonb_build_object('id', ${id('agent')}, 'organization_id', ${id('organization')}, 'session_id', ${id('own')})`,
    )
    await multiply(
      tx,
      'agent_sessions',
      `jsonb_build_object('id', ${id('session')}, 'organization_id', ${id('organization')}, 'agent_id', ${id('agent')},
        'wallet_id', ${id('wallet')}, 'token_hash', rpad('token ' || i, 32), 'last_used_at', null)`,
    )
    await multiply(tx, 'agent_tallies', `jsonb_build_object('owner', ${id('session')})`)
    await multiply(tx, 'agent_tallies', `jsonb_build_object('owner', ${id('run')})`)
    await multiply(tx, 'rate_limits', `jsonb_build_object('key', 'bucket ' || i)`)
    await tx.unsafe(`
      insert into agent_reservations (session_id, digest, counters, amounts, holders)
        select ${id('session')}, sha256(i::text::bytea), '{native ETH/18}', '{1}', 1 from generate_series(1, ${rows}) i;
      insert into agent_counters (session_id, counter, reserved, cap)
        select ${id('session')}, 'native ETH/18', 1, 1000000 from generate_series(1, ${rows}) i`)
  })
}

const under = { policyVersion: 1, rulesVersion: '1', agentVersion: '1' }

const decisionOf = ({ session, digest }: { session: Session; digest: string }): DecisionRecord => ({
  organizationId: session.organizationId,
  sessionId: session.id,
  runId: randomUUID(),
  outcome: 'allowed',
  reason: null,
  layer: null,
  facts: {
    chain: 'local',
    method: 'sendTransaction',
    target: null,
    value: 1n,
    fee: 1n,
    asset: 'ETH',
    payloadSha256: digest,
  },
  txHash: null,
  guard: { ...under, digest },
})

/** What the way of a batch of signatures sends, the sessions from `first` on. */
async function signBatch(tx: Sql, first: number, count: number): Promise<void> {
  const places = Array.from({ length: count }, (_, i) => first + i)
  const keys = textArray(places.map((i) => `\\x${hash('key', i)}`))
  const authenticated = await tx`
    select * from authenticate_keys(${keys}::text::bytea[], ${plainArray(places.map(() => 1))}::text::integer[], 0.01, 100)`
  expect(authenticated).toHaveLength(count)
  const agents = await agentSessionsStore.find(
    tx,
    places.map((i) => ({ key: hash('token', i), units: 1, weights: null })),
  )
  expect(agents.size).toBe(count)
  const asked = [...agents.values()].map(({ session, organizationId }) => ({
    session: { ...session, organizationId },
    digest: randomBytes(32).toString('hex'),
  }))
  const refused = await budgetsStore.reserve(
    tx,
    asked.map(({ session, digest }) => ({
      ...under,
      sessionId: session.id,
      digest,
      holders: 1,
      isAgain: false,
      costs: [
        { counter: 'native ETH/18', amount: 1n, cap: 1_000_000n },
        { counter: 'transactions', amount: 1n, cap: signed++ % 2 === 0 ? 100n : null },
      ],
    })),
  )
  expect(refused).toEqual(new Map())
  const decisions = asked.map(decisionOf)
  const { broken } = await decisionsStore.commit(
    tx,
    decisions,
    decisions.map(() => randomUUID()),
    asked.map(({ session }) => entryOf(session)),
  )
  expect(broken).toEqual(new Map())

  await signPlainly(
    tx,
    asked.map(({ session }) => session),
    keys,
  )
}

/** Plain signatures, by a key and by a user in turn. */
async function signPlainly(tx: Sql, sessions: readonly Session[], keys: string): Promise<void> {
  // Read by another connection: what it scans is not counted here.
  const keysOf = await database.sql<{ id: string }[]>`
    select k.id from unnest(${keys}::text::bytea[]) with ordinality h(hash, i) join api_keys k on k.hash = h.hash order by h.i`
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const plain = await auditStore.commit(
    tx,
    sessions.map((session, i): Entry => {
      const token = { hash: randomBytes(32).toString('hex'), expiresAt }
      const by = i % 2 === 0 ? { token } : { apiKeyId: keysOf[i]?.id ?? '' }
      return { ...entryOf(session), guard: { walletId: session.walletId, ...by } }
    }),
  )
  expect(plain.broken).toEqual(new Map())
}

const entryOf = (session: { id: string; organizationId: string; walletId: string }): Entry => {
  const event: AuditEvent = {
    organizationId: session.organizationId,
    type: 'wallet.signed',
    walletId: session.walletId,
    actorType: 'agent',
    actorId: session.id,
    payload: { type: 'transaction', chain: 'local', network: 'evm' },
    success: true,
  }
  return { id: randomUUID(), event }
}

test('plans that were made for empty tables read full ones by index', async () => {
  // The first executions of a statement plan it for its values, all later ones do not.
  for (let i = 0; i < 12; i++) await signBatch(sql, 0, 1)
  expect(sessionIds).toHaveLength(1)
  await fill()
  // Later rounds leave out what was read until now.
  await sql`select pg_stat_force_next_flush()`
  await sql.begin(async (begun) => {
    const tx = begun as unknown as Sql
    await signBatch(tx, 1, batch)
    const read = await tx<{ table: string; scans: number; rows: number }[]>`
      select relname as table, seq_scan::int as scans, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
      from pg_stat_xact_user_tables where seq_scan > 0 or idx_scan > 0 order by relname`
    expect(read.length).toBeGreaterThan(8)
    expect(read.filter((one) => one.scans > 0 || one.rows > readMax)).toEqual([])
  })
})
