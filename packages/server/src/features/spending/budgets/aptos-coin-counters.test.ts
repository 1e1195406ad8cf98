import { readFile } from 'node:fs/promises'
import { assetKey, networks } from '@symbolon/networks'
import { seedAccount, seedAgentSession, type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { budgetsStore } from './budgets.store.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const migration = new URL('../../../db/migrations/0016_aptos_coin_counters.sql', import.meta.url)
const bridge = '0xf22bede237a07e121b56d91a491eb7bcdfd1f5907926a9e58338f964a01b17fa'
const zeros = `0x${'b1e'.padStart(64, '0')}`
const ids = [
  ['aptos', `${bridge}::asset::USDC`],
  ['aptos', `${zeros}::coin::T`],
  ['aptos', `${zeros}::pool::Lp<${bridge}::asset::USDC, vector<${zeros}::a0x00b::D>, 0x1::a::B>`],
  ['aptos-testnet', `${bridge}::asset::USDC`],
] as const
const keyOf = (chain: string, id: string) => `token ${chain} ${assetKey(networks, chain, id)}`

test('what a session has spent and reserved of Aptos coins goes on under the fungible assets paired with them', async () => {
  const { sql } = database
  const { organizationId, account } = await seedAccount(sql)
  const sessionId = await seedAgentSession(sql, { organizationId, walletId: account.walletId })
  const digest = Buffer.alloc(32, 7)
  const old = ids.map(([chain, id]) => `token ${chain} ${id}`)
  const kept = ['native APT/8', 'token base 0x11']
  const counters = [...old, keyOf('aptos', `${bridge}::asset::USDC`), ...kept]
  for (const [index, counter] of counters.entries())
    await sql`insert into agent_counters (session_id, counter, spent, reserved, cap)
      values (${sessionId}, ${counter}, ${String(index + 1)}, ${'10'}, ${'20'})`
  await sql`insert into agent_reservations (session_id, digest, counters, amounts, holders)
    values (${sessionId}, ${digest}, ${['native APT/8', old[0] ?? '']}::text[], ${['1', '4']}::numeric[], 1)`

  const text = await readFile(migration, 'utf8')
  for (let round = 0; round < 2; round++) await sql.begin((transaction) => transaction.unsafe(text))

  const found = await budgetsStore.ofSessions(sql, [sessionId])
  expect(new Map(found.map(({ counter, spent, reserved }) => [counter, [spent, reserved]]))).toEqual(
    new Map<string, bigint[]>([
      ...ids.map(([chain, id], index): [string, bigint[]] => [keyOf(chain, id), [BigInt(index + 1), 10n]]),
      // Both names of one asset are one sum, though it is over the cap that each had.
      [keyOf('aptos', `${bridge}::asset::USDC`), [6n, 20n]],
      ['native APT/8', [6n, 10n]],
      ['token base 0x11', [7n, 10n]],
    ]),
  )
  await budgetsStore.release(sql, sessionId, digest.toString('hex'))
  const [usdc] = (await budgetsStore.ofSessions(sql, [sessionId])).filter(
    ({ counter }) => counter === keyOf('aptos', `${bridge}::asset::USDC`),
  )
  expect(usdc?.reserved).toBe(16n)
})
