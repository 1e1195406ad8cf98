import { type AuditEventType, auditEventTypes } from '@symbolon/api'
import {
  seedOrganization,
  type TestDatabase,
  testDatabase,
  testIds,
  testLog,
  untilWaiting,
} from '@symbolon/testing/database'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPool, type Sql } from '../../db/pool.ts'
import type { AuditEvent } from './audit.ts'
import { auditWriter } from './audit-writer.ts'

let database: TestDatabase
let pools: [Sql, Sql]
let organizationId: string

beforeAll(async () => {
  database = await testDatabase()
  pools = [openPool(database.url, { connectionsMax: 3 }), openPool(database.url, { connectionsMax: 3 })]
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end({ timeout: 5 })))
  await database.drop()
})
beforeEach(async () => {
  organizationId = (await seedOrganization(database.sql)).id
})
afterEach(() => database.sql`drop trigger if exists refuse on audit_events`)

const writerOf = (sql: Sql) => auditWriter({ sql, ids: testIds, log: testLog() })
const event = (change: Partial<AuditEvent> = {}): AuditEvent => ({
  organizationId,
  type: 'wallet.signed',
  actorType: 'system',
  actorId: 'test',
  success: true,
  ...change,
})

type Row = {
  n: string
  n_type: string
  n_success: string
  n_type_success: string
  type: number
  success: boolean
  payload: object
  error_code: string
}
const rowsOf = (id = organizationId) =>
  database.sql<Row[]>`select * from audit_events where organization_id = ${id} order by n`
const missed = async () => {
  const rows =
    await database.sql`select events_missed::integer as n from organization_counters where organization_id = ${organizationId}`
  return rows[0]?.['n']
}

/** Makes the database refuse events whose payload says so. */
const refuseMarked = () =>
  database.sql.unsafe(`
    create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
    create trigger refuse before insert on audit_events for each row when (new.payload ? 'refuse') execute function refuse()`)

test('all ranks are dense over organizations, types and outcomes, whoever writes at once', async () => {
  const organizations = [
    organizationId,
    (await seedOrganization(database.sql)).id,
    (await seedOrganization(database.sql)).id,
  ]
  const types: AuditEventType[] = ['wallet.signed', 'user.logged_in', 'audit.gap', 'wallet.created']
  const writers = pools.map(writerOf)
  const events = Array.from({ length: 900 }, (_, i) =>
    event({
      organizationId: organizations[(i * 7) % 3] ?? '',
      type: types[(i * 5) % 4] ?? 'wallet.signed',
      success: i % 7 < 4,
    }),
  )
  await Promise.all(events.map((one, i) => writers[i % 2]?.write(one)))

  for (const id of organizations) {
    const rows = await rowsOf(id)
    const seen = new Map<string, number>()
    const next = (key: string) => {
      seen.set(key, (seen.get(key) ?? 0) + 1)
      return String(seen.get(key))
    }
    expect(rows).toHaveLength(300)
    for (const { n, n_type, n_success, n_type_success, type, success } of rows) {
      expect([n, n_type, n_success, n_type_success]).toEqual([
        next('all'),
        next(`type ${type}`),
        next(`success ${success}`),
        next(`${type} ${success}`),
      ])
    }
    const [counters] = await database.sql`select * from organization_counters where organization_id = ${id}`
    expect(counters).toMatchObject({
      events: '300',
      events_succeeded: String(rows.filter(({ success }) => success).length),
      events_missed: '0',
    })
    for (const type of types.map((name) => auditEventTypes.indexOf(name))) {
      const of = (outcome: boolean) =>
        rows.filter((row) => row.type === type && row.success === outcome).length
      const [counted] = await database.sql`
        select coalesce(events_by_type[${2 * type + 1}::integer], 0)::integer as failed,
          coalesce(events_by_type[${2 * type + 2}::integer], 0)::integer as succeeded
        from organization_counters where organization_id = ${id}`
      expect(counted).toEqual({ failed: of(false), succeeded: of(true) })
    }
  }
})

test('a broken guard is reported, recorded as a refusal, and harms no neighbour of its batch', async () => {
  const writer = writerOf(pools[0])
  const key = testIds.next()
  await database.sql`insert into api_keys (id, organization_id, name, type, scope, hash, last4, revoked_at)
    values (${key}, ${organizationId}, 'k', 'secret', 'full', ${Buffer.from(key)}, 'abcd', app_now())`
  const hash = 'ab'.repeat(32)
  const later = new Date(Date.now() + 60_000).toISOString()
  await database.sql`insert into revoked_tokens values (${organizationId}, decode(${hash}, 'hex'), ${later})`
  const answers = await Promise.all([
    writer.release(event(), {}),
    writer.release(event(), { apiKeyId: key }),
    writer.release(event(), { token: { hash, expiresAt: later } }),
    writer.release(event(), {
      token: { hash: 'cd'.repeat(32), expiresAt: new Date(Date.now() - 1).toISOString() },
    }),
    writer.release(event(), { token: { hash: 'cd'.repeat(32), expiresAt: later } }),
    writer.release(event(), { walletId: testIds.next() }),
  ])
  expect(answers).toEqual([
    undefined,
    'unauthorized',
    'token_revoked',
    'token_expired',
    undefined,
    'not_found',
  ])
  const rows = await rowsOf()
  expect(rows.map(({ type, success, error_code }) => [auditEventTypes[type], success, error_code])).toEqual([
    ['wallet.signed', true, ''],
    ['wallet.sign_refused', false, 'unauthorized'],
    ['wallet.sign_refused', false, 'token_revoked'],
    ['wallet.sign_refused', false, 'token_expired'],
    ['wallet.signed', true, ''],
    ['wallet.sign_refused', false, 'not_found'],
  ])
})

test('an event that the database refuses fails nobody, is counted there, and is reported by exactly one gap event', async () => {
  await refuseMarked()
  const writers = pools.map(writerOf)
  await Promise.all([
    writers[0]?.write(event({ payload: { refuse: 1 } })),
    writers[0]?.write(event({ payload: { good: 1 } })),
    writers[1]?.write(event({ payload: { refuse: 2 } })),
    writers[1]?.write(event({ payload: { refuse: 3 } })),
  ])
  // Its neighbours may have reported a part already; whoever writes next reports the rest, in either process.
  await Promise.all(
    Array.from({ length: 40 }, (_, i) => writers[i % 2]?.write(event({ payload: { after: i } }))),
  )
  await expect.poll(missed).toBe(0)
  const rows = await rowsOf()
  const gaps = rows.filter(({ type }) => auditEventTypes[type] === 'audit.gap')
  const missedCounts = gaps.map(({ payload }) => (payload as { missed: number }).missed)
  expect(missedCounts.reduce((a, b) => a + b, 0)).toBe(3)
  expect(await missed()).toBe(0)
  expect(rows).toHaveLength(41 + gaps.length)
  expect(rows.map(({ n }) => Number(n))).toEqual(rows.map((_, i) => i + 1))
})

test('of two processes that learn of a gap at the same moment one reports it', async () => {
  await database.sql`update organization_counters set events_missed = 3 where organization_id = ${organizationId}`
  const writers = pools.map(writerOf)
  let written: Promise<unknown> | undefined
  await database.sql.begin(async (tx) => {
    await tx`select 1 from organization_counters where organization_id = ${organizationId} for update`
    written = Promise.all(writers.map((writer) => writer.write(event())))
    // Both commits wait in line, so both are answered before either can report it.
    await untilWaiting(database, 2)
  })
  await written
  await Promise.all(writers.map((writer) => writer.write(event())))
  await expect.poll(missed).toBe(0)
  await Promise.all(writers.map((writer) => writer.write(event())))
  const gaps = (await rowsOf()).filter(({ type }) => auditEventTypes[type] === 'audit.gap')
  expect(gaps.map(({ payload }) => payload)).toEqual([{ missed: 3 }])
  expect(await missed()).toBe(0)
})

test('a change is kept though its event is refused, and the gap is counted with it', async () => {
  await refuseMarked()
  const writer = writerOf(pools[0])
  await pools[0].begin(async (tx) => {
    await tx`update organizations set name = 'changed' where id = ${organizationId}`
    await writer.append(tx, event({ payload: { refuse: 1 } }))
  })
  const rows = await database.sql`select name from organizations where id = ${organizationId}`
  expect([rows[0]?.['name'], await missed()]).toEqual(['changed', 1])
})

test('an event leaves no trace when the change that it describes is rolled back', async () => {
  const writer = writerOf(pools[0])
  const undone = pools[0].begin(async (tx) => {
    await writer.append(tx, event())
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await rowsOf()).toHaveLength(0)
  await writer.write(event())
  expect((await rowsOf()).map(({ n }) => n)).toEqual(['1'])
})

test('without a database nothing is released; what was missed meanwhile is counted once it is back', async () => {
  const dead = openPool('postgres://nobody@127.0.0.1:1/none', { connectionsMax: 1 })
  let isDown = true
  const switched = ((strings: TemplateStringsArray, ...values: never[]) =>
    (isDown ? dead : pools[0])(strings, ...values)) as unknown as Sql
  const writer = writerOf(switched)
  await expect(writer.release(event(), {})).rejects.toMatchObject({ code: 'unavailable' })
  await writer.write(event())
  await writer.write(event())
  isDown = false
  await writer.write(event())
  expect(await missed()).toBe(2)
  await writer.write(event())
  await expect.poll(missed).toBe(0)
  const gaps = (await rowsOf()).filter(({ type }) => auditEventTypes[type] === 'audit.gap')
  expect(gaps.map(({ payload }) => payload)).toEqual([{ missed: 2 }])
  await dead.end()
})
