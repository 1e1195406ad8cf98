import { randomBytes } from 'node:crypto'
import { auditEventTypes } from '@symbolon/api'
import {
  seedOrganization,
  type TestDatabase,
  testDatabase,
  testIds,
  testLog,
} from '@symbolon/testing/database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPool, type Sql } from '../../db/pool.ts'
import { auditWriter } from '../audit/audit-writer.ts'
import { tellMarks } from './tell-marks.ts'

const ringId = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'
let database: TestDatabase
let pools: [Sql, Sql]

beforeEach(async () => {
  database = await testDatabase()
  pools = [openPool(database.url, { connectionsMax: 3 }), openPool(database.url, { connectionsMax: 3 })]
})
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.end({ timeout: 5 })))
  await database.drop()
})

const pass = (sql: Sql) => tellMarks({ sql, audit: auditWriter({ sql, ids: testIds, log: testLog() }) })
const passOfAll = async () => {
  const counts = await Promise.all(pools.map(pass))
  return counts.reduce((sum, count) => sum + count)
}

async function storeSegment(number: number): Promise<string> {
  const root = randomBytes(32)
  await database.sql`insert into enclave_rings (id) values (${ringId}) on conflict do nothing`
  await database.sql`
    insert into enclave_marks (ring_id, number, keep_from, previous_root, root, sealed)
    values (${ringId}, ${number}, 1, ${randomBytes(32)}, ${root}, ${randomBytes(64)})`
  return root.toString('hex')
}

const payloads = async () =>
  (
    await database.sql<{ payload: object }[]>`
      select payload from audit_events where type = ${auditEventTypes.indexOf('enclave.marks_stored')} order by n`
  ).map(({ payload }) => payload)

const makeOld = () => database.sql`update organizations set created_at = created_at - interval '25 hours'`
const passADay = () => database.sql`update enclave_marks_told set told_at = told_at - interval '25 hours'`

test('one of two processes records the newest marks once a day in the log of each organization', async () => {
  for (let i = 0; i < 3; i++) await seedOrganization(database.sql)
  await makeOld()
  expect(await passOfAll()).toBe(0)
  const first = await storeSegment(1)
  expect(await passOfAll()).toBe(3)
  expect(await passOfAll()).toBe(0)
  expect(await payloads()).toEqual(Array(3).fill({ ring_id: ringId, number: 1, root: first }))
  const second = await storeSegment(2)
  expect(await passOfAll()).toBe(0)
  await passADay()
  expect(await passOfAll()).toBe(3)
  expect((await payloads()).slice(3)).toEqual(Array(3).fill({ ring_id: ringId, number: 2, root: second }))
})

test('a new organization waits a day; one pass records more than a batch', async () => {
  await seedOrganization(database.sql)
  await storeSegment(1)
  expect(await passOfAll()).toBe(0)
  for (let i = 0; i < 120; i++) await seedOrganization(database.sql)
  await makeOld()
  expect(await passOfAll()).toBe(121)
})
