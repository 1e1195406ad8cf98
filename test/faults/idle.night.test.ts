import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '@symbolon/testing/database'
import { dataFolder, startedPlatform } from '@symbolon/testing/platform'
import { expect, test } from 'vitest'

const seconds = 30

test('an idle platform does at most two transactions a second, over all its processes', async () => {
  const database = await testDatabase()
  const folder = dataFolder()
  const platform = await startedPlatform({
    dataFolder: folder.path,
    environment: { DATABASE_URL: database.url, WORKERS: '4' },
  })
  const transactions = async () => {
    const [row] = await database.sql<{ count: number }[]>`
      select (xact_commit + xact_rollback)::float8 as count from pg_stat_database where datname = current_database()`
    return row?.count ?? 0
  }
  try {
    await platform.ready()
    const processes = () => database.sql`select from processes`
    await expect.poll(async () => (await processes()).length, { timeout: 30_000 }).toBe(4)
    // What the start itself has done is counted late.
    await sleep(10_000)
    const before = await transactions()
    await sleep(seconds * 1_000)
    expect((await transactions()) - before).toBeLessThan(2 * seconds)
  } finally {
    platform.launcher.kill('SIGTERM')
    await platform.ended()
    folder.remove()
    await database.drop()
  }
}, 120_000)
