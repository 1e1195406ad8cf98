import { auditEventTypes } from '@symbolon/api'
import {
  type AccountRow,
  seedAccount,
  seedAgentSession,
  type TestDatabase,
  testDatabase,
  testIds,
} from '@symbolon/testing/database'
import { propertyRuns } from '@symbolon/testing/properties'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentEventsStore } from '../features/agents/signing/agent-events.store.ts'
import type { DecisionRecord } from '../features/agents/signing/decision-record.ts'
import { decisionsStore } from '../features/agents/signing/decisions.store.ts'
import { auditStore } from '../features/audit/audit.store.ts'
import type { AuditEvent } from '../features/audit/audit.ts'
import { budgetsStore, type CounterCost } from '../features/spending/budgets/budgets.store.ts'
import { nonceLeasesStore } from '../features/transactions/nonces/nonce-leases.store.ts'
import { batchArguments } from './batch-arguments.ts'
import { openPool, type Sql } from './pool.ts'

const [integerMax, bigintMax, numericMax] = [2 ** 31 - 1, 2n ** 63n - 1n, 10n ** 78n - 1n]
/** What every signature is evaluated under here: the highest versions there are. */
const under = { policyVersion: integerMax, rulesVersion: bigintMax.toString(), agentVersion: null }

let database: TestDatabase
let sql: Sql
let owner: AccountRow

beforeAll(async () => {
  database = await testDatabase()
  sql = openPool(database.url, { connectionsMax: 2 })
  owner = await seedAccount(sql)
  await sql`insert into organization_rules (organization_id, rules, version) values (${owner.organizationId}, '{}', ${bigintMax})`
})
afterAll(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})

const seedSession = () =>
  seedAgentSession(sql, {
    organizationId: owner.organizationId,
    walletId: owner.account.walletId,
    policyVersion: integerMax,
  })

const text = fc.oneof(
  fc.constantFrom(
    '',
    'NULL',
    'null',
    '"',
    '\\',
    '{}',
    ',',
    '{"a",NULL}',
    '\\x00',
    "'; --",
    '𝒜\u{10ffff}\ufffe',
    ' \t\n\x1f',
  ),
  fc.string({ unit: 'binary' }).map((any) => any.replaceAll('\0', '')),
)
const plainText = text.map((any) => any.replace(/\p{Cc}/gu, ''))
const orNull = <value>(arbitrary: fc.Arbitrary<value>) => fc.option(arbitrary, { nil: null, freq: 3 })
const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => Buffer.from(bytes).toString('hex'))
const bigint = (max: bigint) => fc.oneof(fc.constantFrom(0n, 1n, max - 1n, max), fc.bigInt({ min: 0n, max }))
const check = <value>(arbitrary: fc.Arbitrary<value>, holds: (value: value) => Promise<void>) =>
  fc.assert(fc.asyncProperty(arbitrary, holds), { numRuns: propertyRuns(200), endOnFailure: true })

test('each type of array arrives as it was written', async () => {
  const row = fc.record({
    uuid: orNull(fc.uuid()),
    small: orNull(fc.integer({ min: -32_768, max: 32_767 })),
    whole: orNull(fc.integer()),
    big: orNull(fc.bigInt({ min: -bigintMax - 1n, max: bigintMax }).map(String)),
    exact: orNull(fc.bigInt({ min: -numericMax, max: numericMax })),
    is: orNull(fc.boolean()),
    words: orNull(text),
    bytes: orNull(hex(3)),
    at: orNull(
      fc
        .date({ min: new Date(0), max: new Date(253e12), noInvalidDate: true })
        .map((date) => date.toISOString()),
    ),
  })
  type Row = typeof row extends fc.Arbitrary<infer one> ? one : never
  await sql.unsafe(`create function echo(a uuid[], b smallint[], c integer[], d bigint[], e numeric[], f boolean[], g text[], h bytea[],
      i timestamptz[])
    returns table (uuid uuid, small smallint, whole integer, big bigint, exact numeric, "is" boolean, words text, bytes text, at timestamptz)
    language sql as $$
      select x.a, x.b, x.c, x.d, x.e, x.f, x.g, encode(x.h, 'hex'), x.i from unnest(a, b, c, d, e, f, g, h, i) x(a, b, c, d, e, f, g, h, i)
    $$`)
  // Named notation: their order means nothing.
  const written = batchArguments<{ rows: Row[] }>({
    rows: {
      i: ['timestamptz[]', ({ at }) => at],
      h: ['bytea[]', ({ bytes }) => bytes],
      g: ['text[]', ({ words }) => words],
      f: ['boolean[]', ({ is }) => is],
      e: ['numeric[]', ({ exact }) => exact],
      d: ['bigint[]', ({ big }) => big],
      c: ['integer[]', ({ whole }) => whole],
      b: ['smallint[]', ({ small }) => small],
      a: ['uuid[]', ({ uuid }) => uuid],
    },
  })
  await check(fc.array(row), async (rows) => {
    const read = await sql<Record<string, unknown>[]>`select * from echo(${written(sql, { rows })})`
    const expected = rows.map(({ at, exact, ...rest }) => ({
      ...rest,
      exact: exact?.toString() ?? null,
      at: at === null ? null : new Date(at),
    }))
    expect(read.map((one) => ({ ...one }))).toEqual(expected)
  })
})

test('audit events are read back as they were written', async () => {
  const json = fc.oneof(
    text,
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  const event: fc.Arbitrary<AuditEvent> = fc.record(
    {
      organizationId: fc.constant(owner.organizationId),
      type: fc.constantFrom(...auditEventTypes),
      actorType: fc.constantFrom('end_user' as const, 'system' as const),
      actorId: text,
      success: fc.boolean(),
      userIdentityId: fc.uuid(),
      walletId: fc.uuid(),
      // V8 13.6 compares a key that it expects with the raw JSON: after `\\` it reads `"`, `\t` and their like as `\\` too.
      payload: fc.dictionary(
        text.filter((key) => !key.includes('\\')),
        json,
      ),
      errorCode: text,
    },
    { requiredKeys: ['organizationId', 'type', 'actorType', 'actorId', 'success'] },
  )
  await check(fc.array(event, { minLength: 1, maxLength: 20 }), async (events) => {
    const entries = events.map((one) => ({ id: testIds.next(), event: one }))
    const { broken } = await auditStore.commit(sql, entries)
    expect(broken.size).toBe(0)
    const rows = await sql<Record<string, unknown>[]>`
      select id, type, success, user_identity_id, wallet_id, actor_type, actor_id, payload, error_code from audit_events
      where id = any(${entries.map(({ id }) => id)}::uuid[]) order by n`
    const expected = entries.map(({ id, event }) => ({
      id,
      type: auditEventTypes.indexOf(event.type),
      success: event.success,
      user_identity_id: event.userIdentityId ?? null,
      wallet_id: event.walletId ?? null,
      actor_type: event.actorType,
      actor_id: event.actorId,
      payload: JSON.parse(JSON.stringify(event.payload ?? {})),
      error_code: event.errorCode ?? '',
    }))
    expect(rows.map((row) => ({ ...row }))).toEqual(expected)
  })
})

test('decisions are read back as they were written', async () => {
  const decision = fc.record({
    runId: orNull(fc.uuid()),
    outcome: fc.constantFrom('allowed' as const, 'rejected' as const, 'error' as const),
    reason: orNull(plainText),
    layer: orNull(fc.constantFrom('organization' as const, 'session' as const)),
    txHash: orNull(plainText),
    facts: fc.record({
      chain: orNull(plainText),
      method: orNull(fc.constantFrom('signMessage' as const, 'sendTransaction' as const)),
      target: orNull(plainText),
      value: orNull(bigint(numericMax)),
      fee: orNull(bigint(numericMax)),
      asset: orNull(plainText),
      payloadSha256: orNull(hex(32)),
    }),
    isGuarded: fc.boolean(),
  })
  await check(fc.array(decision, { minLength: 1, maxLength: 20 }), async (given) => {
    const sessionId = await seedSession()
    const decisions = given.map(
      ({ isGuarded, ...rest }): DecisionRecord => ({
        organizationId: owner.organizationId,
        sessionId,
        ...rest,
        ...(isGuarded && { guard: { ...under, digest: null } }),
      }),
    )
    const ids = decisions.map(() => testIds.next())
    const { broken } = await decisionsStore.commit(sql, decisions, ids, [])
    expect([...broken]).toEqual([])
    const { items, total } = await agentEventsStore.list(sql, { sessionId }, { limit: 100, offset: 0 })
    expect(total).toBe(decisions.length)
    const expected = decisions.map(({ runId, outcome, reason, layer, txHash, facts }, i) => ({
      id: ids[i],
      session_id: sessionId,
      run_id: runId,
      chain: facts.chain,
      method: facts.method,
      target: facts.target,
      value: facts.value?.toString() ?? null,
      fee: facts.fee?.toString() ?? null,
      asset: facts.asset,
      outcome,
      reason_code: reason,
      layer,
      payload_sha256: facts.payloadSha256,
      tx_hash: txHash,
    }))
    expect(items.map(({ timestamp: _, ...rest }) => rest).toReversed()).toEqual(expected)
  })
})

test('transactions of decisions are read back as they were written', async () => {
  const send = fc.record({
    sender: text,
    nonce: bigint(2n ** 64n - 1n),
    requestKey: orNull(text.map((any) => `${any} ${testIds.next()}`)),
    rawTx: fc.uint8Array(),
    holdMs: fc.constantFrom(0, integerMax),
  })
  const sessionId = await seedSession()
  await check(send, async (given) => {
    const [chain, holder, id] = [testIds.next(), testIds.next(), testIds.next()]
    await nonceLeasesStore.acquire(sql, {
      walletId: owner.account.walletId,
      chain,
      holder,
      processId: testIds.next(),
      leaseMs: 10_000,
    })
    const facts = {
      chain,
      method: 'sendTransaction',
      target: null,
      value: null,
      fee: null,
      asset: null,
      payloadSha256: null,
    } as const
    const decision: DecisionRecord = {
      organizationId: owner.organizationId,
      sessionId,
      runId: null,
      outcome: 'allowed',
      reason: null,
      layer: null,
      facts,
      txHash: id,
      guard: { ...under, digest: null },
      send: { id, userIdentityId: owner.identityId, holder, ...given },
    }
    const { broken } = await decisionsStore.commit(sql, [decision], [testIds.next()], [])
    expect([...broken]).toEqual([])
    const [row] = await sql<Record<string, unknown>[]>`
      select sender, nonce, request_key as "requestKey", raw_tx as "rawTx",
        extract(epoch from next_attempt_at - date_trunc('milliseconds', created_at)) * 1000 as "holdMs"
      from agent_transactions where id = ${id} and tx_hash = ${id} and user_identity_id = ${owner.identityId}`
    const { nonce, rawTx, holdMs, ...rest } = given
    expect({ ...row, holdMs: Number(row?.['holdMs']) }).toEqual({
      ...rest,
      nonce: `${nonce}`,
      rawTx: Buffer.from(rawTx),
      holdMs,
    })
  })
})

test('the cost of signatures is read back as it was reserved', async () => {
  const cost = fc.record({ counter: text, amount: bigint(numericMax), isCapped: fc.boolean() })
  const costs = fc.uniqueArray(cost, { selector: ({ counter }) => counter, maxLength: 6 })
  await check(fc.tuple(costs, hex(32)), async ([given, digest]) => {
    const sessionId = await seedSession()
    const wanted = given.map(
      ({ counter, amount, isCapped }): CounterCost => ({ counter, amount, cap: isCapped ? amount : null }),
    )
    const refused = await budgetsStore.reserve(sql, [
      { ...under, sessionId, digest, holders: 1, isAgain: false, costs: wanted },
    ])
    expect([...refused]).toEqual([])
    const { reservation, amounts } = await budgetsStore.reservationOf(sql, sessionId, digest)
    expect([reservation, [...amounts]]).toEqual([
      'reserved',
      wanted.map(({ counter, amount }) => [counter, amount]),
    ])
    const standings = await budgetsStore.ofSessions(sql, [sessionId])
    const reserved = standings.map(({ counter, reserved }) => [counter, reserved] as const)
    expect(new Map(reserved)).toEqual(new Map(wanted.map(({ counter, amount }) => [counter, amount])))
  })
})
