import { openPool, type Sql } from '@symbolon/server/pool'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditCases, type VolumeCase, walletCases } from '../../bench/volume/cases.ts'
import { fillEvents } from '../../bench/volume/fill-events.ts'
import { fillWallets } from '../../bench/volume/fill-wallets.ts'
import { measureCases, scanProblems } from '../../bench/volume/measure.ts'

let database: TestDatabase
let sql: Sql
let cases: VolumeCase[]

// Far below what any table here has in pages, far above what 200 rows by their owners need.
const buffersMax = { wallets: 1_600, audit: 400 }

beforeAll(async () => {
  database = await testDatabase()
  sql = openPool(database.url, { connectionsMax: 3, isPatient: true })
  const wallets = await fillWallets(sql, 50_000)
  const events = await fillEvents(sql, 100_000)
  cases = [
    ...(await walletCases(sql, wallets.organizationId)),
    ...(await auditCases(sql, events.organizationId)),
  ]
})

afterAll(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})

test.each(['force_generic_plan', 'force_custom_plan'] as const)(
  'no page of either list reads a table from end to end, and none reads more for being deep (%s)',
  async (mode) => {
    const measured = await measureCases(sql, database.url, cases, 1, mode)
    expect(measured.length).toBeGreaterThan(150)
    expect(scanProblems(measured)).toEqual([])
    expect(measured.filter(({ list, buffers }) => buffers > buffersMax[list])).toEqual([])
  },
)

test('every page of a filter has the rows that its total leaves', async () => {
  for (const { run, limit, offset, filter, list } of cases) {
    const { items, total } = await run(sql)
    expect({ list, filter, offset, rows: items.length }).toEqual({
      list,
      filter,
      offset,
      rows: Math.max(0, Math.min(limit, total - offset)),
    })
  }
})
