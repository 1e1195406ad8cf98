import { type AuditEventType, auditEventTypes } from '@symbolon/api'
import { seedOrganization, type TestDatabase, testDatabase, testIds } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Sql } from '../../db/pool.ts'
import type { Organization } from '../../http/principal.ts'
import { auditStore } from './audit.store.ts'
import type { AuditEvent } from './audit.ts'
import { listAuditEvents } from './audit-list.store.ts'
import { auditList } from './audit-list.ts'

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

test('ranges of time, wallets and actors are exact at any depth, beside any other filter', async () => {
  const rows = await sql<{ n: string; at: Date; wallet: string | null; actor: string }[]>`
    select n, at, wallet_id as wallet, actor_id as actor from audit_events
    where organization_id = ${organization.id} order by n`
  const moments = [0, 1, 100, 300, 599].map((i) => rows[i]?.at.toISOString() ?? '')
  const wallet = rows.find(({ wallet }) => wallet !== null)?.wallet ?? ''
  const actor = rows[0]?.actor ?? ''
  const list = auditList(sql)
  for (const filter of filters) {
    for (const [from, to] of [
      [undefined, moments[2]],
      [moments[1], undefined],
      [moments[2], moments[3]],
      [moments[3], moments[2]],
      [moments[4], '2999-01-01T00:00:00.000Z'],
      ['2000-01-01T00:00:00.000Z', moments[0]],
    ]) {
      for (const who of [{}, { actorId: actor }, { walletId: wallet }]) {
        const expected = model
          .map((entry, i) => ({ ...entry, row: rows[i] }))
          .filter(({ event }) => filter.type === undefined || event.type === filter.type)
          .filter(({ event }) => filter.isSuccess === undefined || event.success === filter.isSuccess)
          .filter(({ row }) => from === undefined || (row?.at.toISOString() ?? '') >= from)
          .filter(({ row }) => to === undefined || (row?.at.toISOString() ?? '') < to)
          .filter(({ event }) => !('actorId' in who) || event.actorId === who.actorId)
          .filter(({ event }) => !('walletId' in who) || event.walletId === who.walletId)
          .map(({ id }) => id)
          .toReversed()
        const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
        const page = await list({
          organizationId: organization.id,
          limit: 7,
          offset: 3,
          ...filter,
          ...range,
          ...who,
        })
        expect({ total: page.total, ids: page.items.map(({ id }) => id) }).toEqual({
          total: expected.length,
          ids: expected.slice(3, 10),
        })
      }
    }
  }
})

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
