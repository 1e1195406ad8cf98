import { startClock, stopClock } from '@symbolon/testing/app'
import { seedOrganization, type TestDatabase, testDatabase, testIds } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownerNoticesStore } from './owner-notices.store.ts'
import { portalUsersStore } from './portal-users.store.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const hour = 3_600_000

async function newUser(): Promise<string> {
  return (await portalUsersStore.ofEmail(database.sql, testIds.next(), `o-${testIds.next()}@example.test`)).id
}

test('a place among the 20 is free again 24 hours after its email, not sooner', async () => {
  const { sql } = database
  const { id } = await seedOrganization(sql)
  const user = await newUser()
  const start = Date.now()
  const take = async (atMs: number) => {
    await stopClock(database as never, atMs)
    return (await ownerNoticesStore.take(sql, id, [user])).get(user)
  }
  try {
    expect(await take(start)).toEqual({ isLast: false })
    for (let i = 2; i <= 20; i++) expect(await take(start + 10 * hour)).toEqual({ isLast: i === 20 })
    expect(await take(start + 24 * hour - 1)).toBeUndefined()
    expect(await take(start + 24 * hour)).toEqual({ isLast: true })
    expect(await take(start + 34 * hour - 1)).toBeUndefined()
    expect(await take(start + 34 * hour)).toEqual({ isLast: false })
  } finally {
    await startClock(database as never)
  }
})

test('each owner and each company has places of its own, and a change that is rolled back takes none', async () => {
  const { sql } = database
  const [{ id }, other] = [await seedOrganization(sql), await seedOrganization(sql)]
  const [one, two] = [await newUser(), await newUser()]
  for (let i = 0; i < 19; i++) await ownerNoticesStore.take(sql, id, [one])
  await sql
    .begin(async (tx) => {
      expect(await ownerNoticesStore.take(tx, id, [one])).toEqual(new Map([[one, { isLast: true }]]))
      throw new Error('rolled back')
    })
    .catch(() => {})
  expect((await ownerNoticesStore.take(sql, id, [two, one])).get(one)).toEqual({ isLast: true })
  expect(await ownerNoticesStore.take(sql, id, [one, two])).toEqual(new Map([[two, { isLast: false }]]))
  expect((await ownerNoticesStore.take(sql, other.id, [one])).get(one)).toEqual({ isLast: false })
  expect(await ownerNoticesStore.take(sql, id, [])).toEqual(new Map())
})

test('changes of many transactions at the same moment take 20 places together', async () => {
  const { sql } = database
  const { id } = await seedOrganization(sql)
  const user = await newUser()
  const taken = await Promise.all(
    Array.from({ length: 40 }, () => sql.begin((tx) => ownerNoticesStore.take(tx, id, [user]))),
  )
  const places = taken.flatMap((map) => map.get(user) ?? [])
  expect(places).toHaveLength(20)
  expect(places.filter(({ isLast }) => isLast)).toHaveLength(1)
})
