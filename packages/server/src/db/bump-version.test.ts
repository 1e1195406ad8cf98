import { randomUUID } from 'node:crypto'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

test('every update of an organization or a key raises its version, whatever the statement says of it', async () => {
  const { sql } = database
  const id = randomUUID()
  await sql`insert into organizations (id, name, slug, signing_mode, supported_networks)
    values (${id}, 'a', ${id}, 'tee', '{}')`
  await sql`insert into api_keys (id, organization_id, name, type, hash, last4)
    values (${id}, ${id}, 'a', 'publishable', '\\x00', 'abcd')`
  await sql`update organizations set name = 'b'`
  await sql`update organizations set version = 1`
  await sql`update api_keys set revoked_at = app_now()`
  const [row] =
    await sql`select o.version::integer as organization, k.version::integer as key from organizations o, api_keys k`
  expect(row).toEqual({ organization: 3, key: 2 })
})
