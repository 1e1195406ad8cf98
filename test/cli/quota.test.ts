import { seedOrganization, type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resultOf, runSymbolon } from './run-symbolon.ts'

let database: TestDatabase
let environment: { DATABASE_URL: string }
let organizationId: string

beforeAll(async () => {
  database = await testDatabase()
  environment = { DATABASE_URL: database.url }
  organizationId = (await seedOrganization(database.sql)).id
})
afterAll(() => database.drop())

const gas = '--sponsored-gas-eur-per-month'

test('the sponsored gas of the installation is shown and changed, that of its organizations stays', async () => {
  const installation = ['org', 'quota', '--installation']
  expect(await resultOf(installation, environment)).toEqual({ sponsored_gas_eur_per_month: 10_000 })
  expect(await resultOf([...installation, gas, '250'], environment)).toEqual({
    sponsored_gas_eur_per_month: 250,
  })
  expect(await runSymbolon(installation, environment)).toEqual({
    code: 0,
    stdout: 'sponsored gas per month         EUR 250\n',
    stderr: '',
  })
  expect(await resultOf([...installation, gas, '0'], environment)).toEqual({ sponsored_gas_eur_per_month: 0 })
  expect(await resultOf(['org', 'quota', organizationId, gas, '7'], environment)).toEqual({
    organization_id: organizationId,
    user_signs_per_minute: null,
    sponsored_gas_eur_per_month: 7,
  })
  expect(await resultOf(installation, environment)).toEqual({ sponsored_gas_eur_per_month: 0 })
})
