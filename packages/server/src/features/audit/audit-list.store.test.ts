import { type AuditEventType, auditEventTypes } from '@symbolon/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../../test/support/database.ts'
import { seedOrganization, testIds } from '../../../../../test/support/seed-organization.ts'
import { openPool, type Sql } from '../../db/pool.ts'
import type { Organization } from '../../http/caller.ts'
import { auditStore } from './audit.store.ts'
import type { AuditEvent } from './audit.ts'
import { listAuditEvents } from './audit-list.store.ts'

let database: TestDatabase
let sql: Sql
let organization: Organization
/** What was written, oldest first: the log as a plain array. */
const model: { id: string; event: AuditEvent }[] = []

const types: AuditEventType[] = ['wallet.signed', 'wallet.created', 'audit.gap', 'user.logged_in']

beforeAll(async () => {
  database = await testDatabase()
  sql = openPool(database.url, { connectionsMax: 2 })
  organization = await seedOrganization(sql)
  const other = await seedOrganization(sql)
  let seed = 7
  const below = (n: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % n
  }
  const entryOf = (organizationId: string) => ({
    id: testIds.next(),
    event: {
      organizationId,
      type: types[Math.min(below(4), below(4))] ?? 'wallet.signed',
      actorType: 'api_key' as const,
      actorId: `key ${below(100)}`,
      payload: { number: below(1_000) },
      ...(below(2) === 0 && { walletId: testIds.next() }),
      success: below(5) !== 0,
      ...(below(3) === 0 && { errorCode: 'not_found' }),
    },
  })
  // Batches of uneven size, two organizations interleaved in each.
  while (model.length < 600) {
    const entries = Array.from({ length: 1 + below(40) }, () =>
      entryOf(below(3) === 0 ? other.id : organization.id),
    )
    await auditStore.commit(sql, entries)
    model.push(...entries.filter(({ event }) => event.organizationId === organization.id))
  }
})

afterAll(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})

const filters = [undefined, ...types, auditEventTypes[1]].flatMap((type) =>
  [undefined, true, false].map((isSuccess) => ({
    ...(type !== undefined && { type }),
    ...(isSuccess !== undefined && { isSuccess }),
  })),
)

test.each(filters)(
  'every page of the log is the slice of the plain array, newest first, and the total is exact: %o',
  async (filter) => {
    const matching = model
      .map((entry, i) => ({ ...entry, rank: i + 1 }))
      .filter(({ event }) => filter.type === undefined || event.type === filter.type)
      .filter(({ event }) => filter.isSuccess === undefined || event.success === filter.isSuccess)
      .toReversed()
    const total = matching.length
    const offsets = [0, 1, 49, 50, Math.floor(total / 2), total - 1, total, total + 1, 1_000_000]
    for (const offset of offsets.filter((offset) => offset >= 0)) {
      for (const limit of [1, 50, 200]) {
        const page = await listAuditEvents(sql, { organizationId: organization.id, limit, offset, ...filter })
        expect(page.total).toBe(total)
        expect(page.items.map(({ at: _, ...rest }) => rest)).toEqual(
          matching.slice(offset, offset + limit).map(({ id, rank, event }) => ({
            id,
            rank,
            type: event.type,
            userIdentityId: null,
            walletId: event.walletId ?? null,
            actorType: event.actorType,
            actorId: event.actorId,
            payload: event.payload,
            isSuccess: event.success,
            errorCode: event.errorCode ?? '',
          })),
        )
      }
    }
  },
)

test('an organization without events has an empty log, and nobody sees the events of another one', async () => {
  const { id } = await seedOrganization(sql)
  expect(await listAuditEvents(sql, { organizationId: id, limit: 50, offset: 0 })).toEqual({
    items: [],
    total: 0,
  })
  expect(await listAuditEvents(sql, { organizationId: id, limit: 50, offset: 0, type: 'audit.gap' })).toEqual(
    { items: [], total: 0 },
  )
  const absent = { organizationId: testIds.next(), limit: 50, offset: 0 }
  expect(await listAuditEvents(sql, absent)).toEqual({ items: [], total: 0 })
})
