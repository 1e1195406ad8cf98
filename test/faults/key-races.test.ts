import { createHmac, randomBytes } from 'node:crypto'
import { openSecretsFile } from '@symbolon/server/testing/adapters'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import type { Answer } from '@symbolon/testing/http'
import {
  createOrganization,
  mintSecretKeys,
  type PlatformProcesses,
  startPlatformProcesses,
} from '@symbolon/testing/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** What a request may take before it is answered without its result, as on a machine that is busy with other things. */
const answerLimitMs = 5_000
let database: TestDatabase
let platform: PlatformProcesses

beforeAll(async () => {
  database = await testDatabase()
  platform = await startPlatformProcesses({ databaseUrl: database.url })
})
afterAll(async () => {
  await platform?.stop()
  await database?.drop()
})

/** An owner's session of the portal. */
async function ownerOf(organizationId: string): Promise<{ cookie: string; origin: string }> {
  const { pepper } = openSecretsFile(platform.files.secrets)
  const token = randomBytes(32).toString('base64url')
  const hash = createHmac('sha256', pepper).update(token).digest()
  await platform.sql`
    with person as (
      insert into portal_users (id, email) values (gen_random_uuid(), ${`${randomBytes(6).toString('hex')}@example.test`}) returning id),
    member as (
      insert into organization_members (id, organization_id, user_id, role, entered_at)
      select gen_random_uuid(), ${organizationId}, id, 'owner', app_now() from person)
    insert into portal_sessions (id, user_id, token_hash, expires_at)
    select gen_random_uuid(), id, ${hash}, app_now() + interval '1 hour' from person`
  return { cookie: `session=${token}`, origin: platform.baseUrl }
}

test('keys that two processes mint at once are as many as there is room for, and no request fails', async () => {
  const [first, second] = platform.apis
  if (first === undefined || second === undefined) throw new Error('There are no two processes.')
  const { id } = await createOrganization(first)
  const headers = await ownerOf(id)
  const mint = (i: number, type = 'secret') =>
    (i % 2 === 0 ? first : second).call(`/v1/orgs/${id}/api-keys`, {
      method: 'POST',
      headers,
      body: { name: 'k', type },
    })
  const livingSecrets = async () => {
    const [row] = await platform.sql<{ living: number }[]>`
      select count(*)::int as living from api_keys where organization_id = ${id} and type = 'secret' and revoked_at is null`
    return row?.living ?? 0
  }
  await mintSecretKeys(platform, id, 95 - (await livingSecrets()))

  const answers = await Promise.all(Array.from({ length: 24 }, (_, i) => mint(i)))
  expect(strange(answers)).toEqual([])
  expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(5)
  expect(await livingSecrets()).toBe(100)

  // A full organization refuses without the lock that its signatures take: who holds it delays no refusal.
  const refused = await platform.sql.begin(async (tx) => {
    await tx`select 1 from organization_counters where organization_id = ${id} for update`
    return Promise.all(Array.from({ length: 12 }, (_, i) => mint(i)))
  })
  expect(strange(refused)).toEqual([])
  expect(refused.filter(({ status }) => status === 201)).toEqual([])
  expect((await mint(0, 'publishable')).status).toBe(201)
})

/** The answers within the time limit that are neither a key nor a refusal. */
const strange = (answers: readonly Answer[]) =>
  answers
    .filter(({ ms, status }) => ms < answerLimitMs && status !== 201 && status !== 403)
    .map(({ text }) => text)
