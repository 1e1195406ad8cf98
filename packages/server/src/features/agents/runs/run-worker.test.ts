import {
  queueRuns,
  seedOrganization,
  type TestDatabase,
  testDatabase,
  testLog,
} from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runFollowers } from './run-followers.ts'
import { runWorker } from './run-worker.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

test('a worker with work for more than its places takes the next run as soon as one has ended, not at its next poll', async () => {
  const { sql } = database
  const log = testLog()
  await queueRuns(sql, (await seedOrganization(sql)).id, { count: 200 })
  const worked: string[] = []
  const worker = runWorker({
    sql,
    log,
    followers: runFollowers({ sql, log }),
    work: async ({ id }) => void worked.push(id),
  })
  worker.start()
  try {
    // 16 at once, as they are of one organization: twelve polls of a second would take longer.
    await expect.poll(() => worked.length).toBe(200)
  } finally {
    await worker.stop()
  }
  expect(new Set(worked).size).toBe(200)
})
