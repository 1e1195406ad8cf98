import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillWallets } from '../../../../../../bench/volume/fill-wallets.ts'
import { openPool, type Sql } from '../../../db/pool.ts'
import { listWallets, type WalletListQuery } from './wallet-list.store.ts'

let database: TestDatabase
let sql: Sql
let organizationId: string
/** The organization's wallets, newest first, as a plain array. */
let model: {
  id: string
  status: string
  curve: string
  userIdentityId: string
  email: string
  addresses: string[]
}[]

// Several blocks, the last one partly filled.
const count = 5_000

beforeAll(async () => {
  database = await testDatabase()
  sql = openPool(database.url, { connectionsMax: 2, isPatient: true })
  await fillWallets(sql, 50)
  organizationId = (await fillWallets(sql, count)).organizationId
  // Archiving and unarchiving move the counts of the blocks that the pages are found by.
  const some = await sql<
    { id: string; status: string }[]
  >`select id, status from wallets where organization_id = ${organizationId} and org_seq % 97 = 0`
  for (const { id, status } of some) {
    await sql`select set_wallet_status(${organizationId}, ${id}, ${status === 'active' ? 'archived' : 'active'})`
  }
  model = await sql<typeof model>`
    select w.id, w.status, w.curve, w.user_identity_id as "userIdentityId", i.email,
      array(select value from jsonb_each_text(w.addresses)) as addresses
    from wallets w join identities i on i.id = w.user_identity_id
    where w.organization_id = ${organizationId} order by w.org_seq desc`
})

afterAll(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})

type Filter = Omit<WalletListQuery, 'organizationId' | 'limit' | 'offset'>

const idsOf = (filter: Filter) =>
  model
    .filter(({ status }) => filter.status === undefined || status === filter.status)
    .filter(({ curve }) => filter.curve === undefined || curve === filter.curve)
    .filter(
      ({ userIdentityId }) => filter.userIdentityId === undefined || userIdentityId === filter.userIdentityId,
    )
    .filter(({ email }) => filter.email === undefined || email === filter.email)
    .filter(({ addresses }) => filter.address === undefined || addresses.includes(filter.address))
    .map(({ id }) => id)

async function compare(filter: Filter) {
  const ids = idsOf(filter)
  const total = ids.length
  const near = [
    0,
    1,
    50,
    2_047,
    2_048,
    2_049,
    Math.floor(total / 2),
    total - 51,
    total - 1,
    total,
    total + 1,
    1_000_000,
  ]
  for (const offset of near.filter((offset) => offset >= 0)) {
    for (const limit of [1, 50, 200]) {
      const page = await listWallets(sql, { organizationId, limit, offset, ...filter })
      expect({ offset, limit, total: page.total, ids: page.items.map(({ wallet }) => wallet.id) }).toEqual({
        offset,
        limit,
        total,
        ids: ids.slice(offset, offset + limit),
      })
    }
  }
}

const broad = [undefined, 'active', 'archived'].flatMap((status) =>
  [undefined, 'secp256k1', 'ed25519'].map(
    (curve) => ({ ...(status && { status }), ...(curve && { curve }) }) as Filter,
  ),
)

test.each(broad)(
  'every page is the slice of the plain array, newest first, and the total is exact: %o',
  (filter) => compare(filter),
)

test('a person, an email and an address, alone or with the other filters, name exactly their wallets', async () => {
  const owned = model.filter(
    ({ userIdentityId }) => model.filter((other) => other.userIdentityId === userIdentityId).length === 2,
  )
  const [someone] = owned
  if (someone === undefined) throw new Error('Nobody has two wallets.')
  const { userIdentityId, email, addresses } = someone
  for (const filter of [
    { userIdentityId },
    { email },
    { address: addresses[0] ?? '' },
    { userIdentityId, email },
  ]) {
    for (const more of broad) await compare({ ...filter, ...more })
  }
  await compare({ email: 'nobody@example.test' })
})

test('each wallet comes with its own owner', async () => {
  const { items } = await listWallets(sql, { organizationId, limit: 200, offset: 100, status: 'active' })
  const emails = new Map(model.map(({ id, email }) => [id, email]))
  expect(items).toHaveLength(200)
  for (const { wallet, owner } of items) expect(owner.email).toBe(emails.get(wallet.id))
})
