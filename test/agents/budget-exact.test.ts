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

let database: TestDatabase
let platform: PlatformProcesses
let organization: Organization

beforeAll(async () => {
  database = await testDatabase()
  platform = await startPlatformProcesses({ databaseUrl: database.url, apiCount: 3 })
  await liftRates(platform)
  const [api] = platform.apis
  if (api === undefined) throw new Error('There is no process.')
  organization = await createOrganization(api)
})
afterAll(async () => {
  await platform?.stop()
  await database?.drop()
})

describe('a session’s total', () => {
  test('is spent to the last unit and no further by three processes at once, whatever is signed', () =>
    expectExact(platform, organization, { units: 40, demand: 1.5, copies: 2, parallel: 24 }))

  test('holds while processes are killed, and all that is missing is still reserved', () =>
    expectExactThroughDeaths(platform, organization, {
      units: 60,
      demand: 1.2,
      copies: 2,
      parallel: 8,
      deaths: 2,
    }))
})
