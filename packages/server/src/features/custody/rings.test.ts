import { seedAccount, type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ringsStore } from './rings.store.ts'
import { adoptRing, checkRing } from './rings.ts'

const ours = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'
const theirs = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'
let database: TestDatabase

beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.drop())

const check = (ringId: string | null, keyVersionA = ringId === null ? 0 : 1) =>
  checkRing(database.sql, { ringId, keyVersionA })
const fault = (reason: string, ringId: string | null, expectedRingId: string | null = ours) => ({
  reason,
  ringId,
  expectedRingId,
})

/** Every version that the database knows, with its state. */
const states = async () =>
  (await ringsStore.versions(database.sql)).versions.map(({ version, state }) => `${version} ${state}`)

test('the first ring of an empty installation becomes its own, and no other serves it from then on', async () => {
  expect(await check(null)).toEqual(fault('ring_not_made', null, null))
  expect(await check(ours)).toBeUndefined()
  expect(await check(theirs)).toEqual(fault('ring_foreign', theirs))
  expect(await check(null)).toEqual(fault('ring_missing', null))
  expect(await check(ours)).toBeUndefined()
})

test('of two first rings at once one becomes the installation’s', async () => {
  const rings = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? ours : theirs))
  const faults = await Promise.all(rings.map((ring) => check(ring)))
  const [named] = await database.sql<{ id: string }[]>`select id from enclave_rings`
  for (const [i, found] of faults.entries())
    expect(found?.reason).toBe(rings[i] === named?.id ? undefined : 'ring_foreign')
})

test('an enclave with fewer versions than the database has seen does not serve it', async () => {
  expect(await check(ours, 3)).toBeUndefined()
  expect(await check(ours, 2)).toEqual(fault('ring_version_missing', ours))
  expect(await check(ours, 4)).toBeUndefined()
  expect(await states()).toEqual(['1 retired', '2 retired', '3 retired', '4 current'])
})

test('one version is current, the newest, in whatever order processes come to see them', async () => {
  await check(ours)
  const seen = [5, 2, 4, 3, 1, 5, 3, 2]
  await Promise.all(seen.map((version) => ringsStore.recordVersions(database.sql, { id: ours, version })))
  await ringsStore.recordVersions(database.sql, { id: ours, version: 2 })
  expect(await states()).toEqual(['1 retired', '2 retired', '3 retired', '4 retired', '5 current'])
})

test('a version that only a wallet names is missed, too', async () => {
  expect(await check(ours)).toBeUndefined()
  await seedAccount(database.sql)
  await database.sql`update wallets set key_version_a = 2`
  expect(await check(ours)).toEqual(fault('ring_version_missing', ours))
})

test('wallets from before rings had ids are served by no ring until one is adopted, once', async () => {
  await seedAccount(database.sql)
  // As the older schema left them.
  await database.sql`alter table wallets drop constraint wallets_tee_ring`
  await database.sql`update wallets set ring_id = null`
  await database.sql`delete from enclave_rings`
  expect(await check(ours)).toEqual(fault('ring_not_adopted', ours, null))
  expect(await adoptRing(database.sql, ours)).toBe(true)
  expect(await check(ours)).toBeUndefined()
  expect(await adoptRing(database.sql, theirs)).toBe(false)
  expect((await database.sql`select ring_id from wallets`).map((row) => row['ring_id'])).toEqual([ours])
})

test('a TEE wallet without a ring, or under a ring that is not the installation’s, cannot be stored', async () => {
  await check(ours)
  await seedAccount(database.sql)
  await expect(database.sql`update wallets set ring_id = null`).rejects.toThrow('wallets_tee_ring')
  await expect(database.sql`update wallets set ring_id = ${theirs}`).rejects.toThrow('foreign key')
})
