import { expect, test } from 'vitest'
import { testDatabase } from './test-database.ts'

test('every test database is its own and vanishes when dropped', async () => {
  const [one, two] = await Promise.all([testDatabase(), testDatabase()])
  await one.sql`create table only_here (id int)`
  await expect(two.sql`select * from only_here`).rejects.toThrow('does not exist')
  await one.drop()
  const name = new URL(one.url).pathname.slice(1)
  expect(await two.sql`select 1 from pg_database where datname = ${name}`).toHaveLength(0)
  await two.drop()
})

test('a fresh database is there in well under a second', async () => {
  // On a machine that others keep busy, the first tries may be slow.
  let bestMs = Number.POSITIVE_INFINITY
  for (let i = 0; i < 20 && bestMs >= 1_000; i++) {
    const startedAt = performance.now()
    const database = await testDatabase()
    await database.sql`select 1`
    bestMs = Math.min(bestMs, performance.now() - startedAt)
    await database.drop()
  }
  expect(bestMs).toBeLessThan(1_000)
})
