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

const migration = new URL('../../../db/migrations/0015_stellar_asset_counters.sql', import.meta.url)
const issuer = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'
const ids = [
  ['stellar', `USDC:${issuer}`],
  ['stellar', `A:${issuer}`],
  ['stellar', `LONGCODE1234:${issuer}`],
  ['stellar-testnet', `EUROS:${issuer}`],
] as const
const keyOf = (chain: string, id: string) => `token ${chain} ${assetKey(networks, chain, id)}`

test('what a session has spent and reserved of issued assets of Stellar goes on under their contracts', async () => {
  const { sql } = database
  const { organizationId, account } = await seedAccount(sql)
  const sessionId = await seedAgentSession(sql, { organizationId, walletId: account.walletId })
  const digest = Buffer.alloc(32, 7)
  const old = ids.map(([chain, id]) => `token ${chain} ${id}`)
  const kept = ['native XLM/7', 'token base 0x11']
  const counters = [...old, keyOf('stellar', `USDC:${issuer}`), ...kept]
  for (const [index, counter] of counters.entries())
    await sql`insert into agent_counters (session_id, counter, spent, reserved, cap)
      values (${sessionId}, ${counter}, ${String(index + 1)}, ${'10'}, ${'20'})`
  await sql`insert into agent_reservations (session_id, digest, counters, amounts, holders)
    values (${sessionId}, ${digest}, ${['native XLM/7', old[0] ?? '']}::text[], ${['1', '4']}::numeric[], 1)`

  const text = await readFile(migration, 'utf8')
  for (let round = 0; round < 2; round++) await sql.begin((transaction) => transaction.unsafe(text))

  const found = await budgetsStore.ofSessions(sql, [sessionId])
  expect(new Map(found.map(({ counter, spent, reserved }) => [counter, [spent, reserved]]))).toEqual(
    new Map<string, bigint[]>([
      ...ids.map(([chain, id], index): [string, bigint[]] => [keyOf(chain, id), [BigInt(index + 1), 10n]]),
      // Both names of one asset are one sum, though it is over the cap that each had.
      [keyOf('stellar', `USDC:${issuer}`), [6n, 20n]],
      ['native XLM/7', [6n, 10n]],
      ['token base 0x11', [7n, 10n]],
    ]),
  )
  await budgetsStore.release(sql, sessionId, digest.toString('hex'))
  const [usdc] = (await budgetsStore.ofSessions(sql, [sessionId])).filter(
    ({ counter }) => counter === keyOf('stellar', `USDC:${issuer}`),
  )
  expect(usdc?.reserved).toBe(16n)
})
