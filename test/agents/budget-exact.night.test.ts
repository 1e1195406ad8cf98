import { liftRates } from '@symbolon/testing/app'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import {
  createOrganization,
  type Organization,
  type PlatformProcesses,
  startPlatformProcesses,
} from '@symbolon/testing/platform'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { expectExact, expectExactThroughDeaths } from './budget-processes.ts'

const rounds = 10

let database: TestDatabase
let platform: PlatformProcesses
let organization: Organization

beforeAll(async () => {
  database = await testDatabase()
  platform = await startPlatformProcesses({ databaseUrl: database.url, apiCount: 10 })
  await liftRates(platform)
  const [api] = platform.apis
  if (api === undefined) throw new Error('There is no process.')
  organization = await createOrganization(api)
}, 120_000)
afterAll(async () => {
  await platform?.stop()
  await database?.drop()
})

describe('a session’s total, by ten processes with 64 requests each', () => {
  test('is spent to the last unit and no further', async () => {
    for (let i = 0; i < rounds; i++) {
      await expectExact(platform, organization, { units: 1_000, demand: 1.5, copies: 2, parallel: 64 })
    }
  }, 1_800_000)

  test('holds while processes are killed, and all that is missing is still reserved', async () => {
    for (let i = 0; i < rounds; i++) {
      await expectExactThroughDeaths(platform, organization, {
        units: 1_000,
        demand: 1.5,
        copies: 2,
        parallel: 64,
        deaths: 20,
      })
    }
  }, 1_800_000)
})
