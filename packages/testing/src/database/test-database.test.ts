import { migrate } from '@symbolon/server/testing/db'
import { expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from './test-database.ts'

test('every test database is its own and vanishes when dropped', async () => {
  const [one, two] = await Promise.all([testDatabase(), testDatabase()])
  await one.sql`create table only_here (id int)`
  await expect(two.sql`select * from only_here`).rejects.toThrow('does not exist')
  await one.drop()
  const name = new URL(one.url).pathname.slice(1)
  expect(await two.sql`select 1 from pg_database where datname = ${name}`).toHaveLength(0)
  await two.drop()
})

test('a fresh database is copied: that takes less time than its migrations, also where others keep the machine busy', async () => {
  const timed = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await work()
    return performance.now() - startedAt
  }
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 20 && best >= 1; i++) {
    const empty = await testDatabase()
    await empty.sql`drop schema public cascade`
    await empty.sql`create schema public`
    const migrateMs = await timed(() => migrate(empty.sql))
    await empty.drop()
    let copy: TestDatabase | undefined
    const copyMs = await timed(async () => {
      copy = await testDatabase()
    })
    await copy?.drop()
    best = Math.min(best, copyMs / migrateMs)
  }
  expect(best).toBeLessThan(1)
})
