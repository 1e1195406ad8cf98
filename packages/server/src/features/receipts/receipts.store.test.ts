import { createHash } from 'node:crypto'
import {
  advanceClock,
  seedOrganization,
  type TestDatabase,
  testDatabase,
  testIds,
  testLog,
} from '@symbolon/testing/database'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPool, type Sql } from '../../db/pool.ts'
import { auditWriter } from '../audit/audit-writer.ts'
import { type Audit, type NumberedReceipt, receiptVoided, withReceipt } from '../audit/index.ts'
import { reportLostReceipts } from './lost-receipts.ts'
import { receiptsStore } from './receipts.store.ts'
import { listReceipts } from './receipts.ts'

const kid = 'k'.repeat(43)
const otherKid = 'o'.repeat(43)

let database: TestDatabase
let sql: Sql
let pools: [Sql, Sql]
let audits: [Audit, Audit]
let organizationId: string

beforeAll(async () => {
  database = await testDatabase()
  sql = database.sql
  pools = [openPool(database.url, { connectionsMax: 3 }), openPool(database.url, { connectionsMax: 3 })]
  audits = pools.map((pool) => auditWriter({ sql: pool, ids: testIds, log: testLog() })) as [Audit, Audit]
  for (const known of [kid, otherKid])
    await sql`insert into enclave_receipt_keys (kid, attestation) values (${known}, '{}')`
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end({ timeout: 5 })))
  await database.drop()
})
beforeEach(async () => {
  organizationId = (await seedOrganization(sql)).id
})

const numbered = (counter: number, given: Partial<NumberedReceipt> = {}): Required<NumberedReceipt> => {
  const walletId = testIds.next()
  const issued = {
    receiptId: testIds.next(),
    walletId,
    issuedAt: '2026-11-28T12:00:00.123Z',
    jws: `jws ${counter}`,
  }
  return { kid, counter, issued, ...given }
}

const signed = (receipt: Required<NumberedReceipt>, of = organizationId) =>
  withReceipt(
    {
      organizationId: of,
      type: 'wallet.signed',
      walletId: receipt.issued.walletId,
      actorType: 'system',
      actorId: 'test',
      success: true,
    },
    receipt,
  )
const release = (receipt: Required<NumberedReceipt>, { of = organizationId, audit = audits[0] } = {}) =>
  audit.release(signed(receipt, of), {})
const list = (query: Partial<Parameters<typeof listReceipts>[2]> = {}, of = organizationId) =>
  listReceipts(sql, of, { after: 0, limit: 500, ...query })
const voided = async () =>
  (
    await sql<{ kid: string; counter: number }[]>`
      select payload ->> 'kid' as kid, (payload ->> 'counter')::integer as counter from audit_events
      where organization_id = ${organizationId} and actor_id = 'receipts' order by n`
  ).map((row) => ({ ...row }))
const passTime = (ms: number) => advanceClock(sql, ms)

test('receipts of two processes at once get cursors without gaps, and pages have each exactly once', async () => {
  const other = (await seedOrganization(sql)).id
  const counters = Array.from({ length: 300 }, (_, i) => i + 1)
  await Promise.all(
    counters.map(async (counter, i) => {
      const audit = audits[i % 2] as Audit
      // In one batch with the receipts, and without a cursor.
      const lost = i % 5 === 0 && audit.write(receiptVoided(organizationId, { kid: otherKid, counter }))
      await release(numbered(counter), { audit })
      if (i % 3 === 0) await release(numbered(counter), { audit, of: other })
      await lost
    }),
  )
  const seen: Awaited<ReturnType<typeof list>>['items'] = []
  for (let after = 0, isMore = true; isMore; ) {
    const page = await list({ after, limit: 70 })
    seen.push(...page.items)
    expect(page.last).toBe(page.items.at(-1)?.cursor)
    ;[after, isMore] = [page.last, page.has_more]
  }
  expect(seen.map(({ cursor }) => cursor)).toEqual(counters)
  expect(seen.map(({ counter }) => counter).sort((a, b) => a - b)).toEqual(counters)
  expect((await list({}, other)).items.map(({ cursor }) => cursor)).toEqual(
    Array.from({ length: 100 }, (_, i) => i + 1),
  )
})

test('a receipt is read back as it was written, and its event has its hash', async () => {
  const receipt = numbered(7)
  const { issued } = receipt
  await release(receipt)
  expect(await list()).toEqual({
    items: [
      {
        cursor: 1,
        receipt_id: issued.receiptId,
        wallet_id: issued.walletId,
        kid,
        counter: 7,
        issued_at: issued.issuedAt,
        receipt: issued.jws,
      },
    ],
    last: 1,
    has_more: false,
  })
  const [event] = await sql`select payload from audit_events where organization_id = ${organizationId}`
  expect(event?.['payload']).toEqual({
    receipt_sha256: createHash('sha256').update(issued.jws).digest('hex'),
  })
})

test('filters, the cursor and the organization each bound the list', async () => {
  const mine = numbered(1)
  await release(mine)
  await release(numbered(2))
  await release(numbered(1, { kid: otherKid }))
  const { walletId } = mine.issued
  const cursors = async (query: Parameters<typeof list>[0], of?: string) =>
    (await list(query, of)).items.map(({ cursor }) => cursor)
  expect(await cursors({ kid })).toEqual([1, 2])
  expect(await cursors({ kid: otherKid })).toEqual([3])
  expect(await cursors({ wallet_id: walletId })).toEqual([1])
  expect(await cursors({ wallet_id: walletId, kid: otherKid })).toEqual([])
  expect(await cursors({ after: 1, limit: 1 })).toEqual([2])
  expect(await list({ after: 9 })).toEqual({ items: [], last: 9, has_more: false })
  const other = (await seedOrganization(sql)).id
  for (const query of [{}, { kid }, { wallet_id: walletId }, { wallet_id: walletId, kid }])
    expect(await cursors(query, other)).toEqual([])
})

test('a broken guard keeps receipt and hash from being stored', async () => {
  const receipt = numbered(1)
  const broken = await audits[0].release(signed(receipt), { walletId: testIds.next() })
  expect(broken).toBe('not_found')
  expect((await list()).items).toEqual([])
  const [event] =
    await sql`select payload, error_code from audit_events where organization_id = ${organizationId}`
  expect({ ...event }).toEqual({ payload: {}, error_code: 'not_found' })
})

test('a number that was given up releases no signature any more, and one that left is not reported', async () => {
  const [left, lost] = [numbered(1), numbered(2)]
  await release(left)
  for (const { counter } of [left, lost, lost])
    await audits[0].write(receiptVoided(organizationId, { kid, counter }))
  expect(await voided()).toEqual([{ kid, counter: 2 }])
  await expect(release(lost)).rejects.toMatchObject({ code: 'unavailable' })
  expect((await list()).items.map(({ counter }) => counter)).toEqual([1])
})

test('an event that the database refuses takes its receipt along: nothing is released', async () => {
  await sql.unsafe(`create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
    create trigger refuse before insert on audit_events for each row when (new.type = 15) execute function refuse()`)
  await expect(release(numbered(1))).rejects.toMatchObject({ code: 'internal' })
  await sql`drop trigger refuse on audit_events`
  expect((await list()).items).toEqual([])
})

test('a missing number is reported once, a minute after a later one was stored', async () => {
  const report = (at: 0 | 1) => reportLostReceipts({ sql: pools[at], audit: audits[at] })
  for (const counter of [1, 4, 6]) await release(numbered(counter))
  await report(0)
  await passTime(59_000)
  await report(0)
  expect(await voided()).toEqual([])
  await passTime(2_000)
  await Promise.all([report(0), report(1)])
  await report(0)
  expect(await voided()).toEqual([2, 3, 5].map((counter) => ({ kid, counter })))
  // Nothing is open: the next pass has nothing to look at.
  await report(0)
  expect(await receiptsStore.findLost(sql, { keysMax: 9, numbersMax: 9, ageMs: 0 })).toEqual({
    lost: [],
    isMore: false,
  })
})

test('a number that was on its way is not lost, and many are looked through in rounds', async () => {
  const report = (given: object) => reportLostReceipts({ sql, audit: audits[0] }, given)
  const all = Array.from({ length: 50 }, (_, i) => i + 1)
  await Promise.all(all.filter((n) => n !== 40).map((n) => release(numbered(n))))
  await passTime(61_000)
  await release(numbered(40))
  await release(numbered(52))
  await report({ numbersMax: 10 })
  expect(await voided()).toEqual([])
  const [open] = await sql`select settled from receipt_numbers where organization_id = ${organizationId}`
  expect(Number(open?.['settled'])).toBe(50)
  await passTime(61_000)
  await report({ numbersMax: 10 })
  expect(await voided()).toEqual([{ kid, counter: 51 }])
})
