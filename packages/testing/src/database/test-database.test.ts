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
  const times: number[] = []
  for (let i = 0; i < 3; i++) {
    const startedAt = performance.now()
    const database = await testDatabase()
    await database.sql`select 1`
    times.push(performance.now() - startedAt)
    await database.drop()
  }
  expect(Math.min(...times)).toBeLessThan(1_000)
})
