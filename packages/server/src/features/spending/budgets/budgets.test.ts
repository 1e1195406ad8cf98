import { seedAccount, seedAgentSession, type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { budgets, checkBudget, releaseBudget } from './budgets.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const under = { policyVersion: 1, rulesVersion: '0', agentVersion: null }

test.each([
  ['before', [true, false]],
  ['after', [false, true]],
] as const)(
  'a request that looks again at its signature, asked just %s one for the same signature that is new, neither takes its hold nor gives it another one',
  async (_, order) => {
    const { sql } = database
    const { organizationId, account } = await seedAccount(sql)
    const sessionId = await seedAgentSession(sql, { organizationId, walletId: account.walletId })
    const cap = { layer: 'session', rule: 'max_spend_total_native', reason: 'total_cap_exceeded' } as const
    const spends = [{ counter: 'native ETH/18', asset: 'ETH', amount: 60n, caps: [{ ...cap, max: 100n }] }]
    const wanted = { sessionId, digest: 'ab'.repeat(32), spends }
    const { reserve } = budgets(sql)
    const isHeld = async () => (await checkBudget(sql, wanted)).reservation === 'reserved'

    expect(await reserve({ ...wanted, under })).toBe(undefined)
    const answers = await Promise.all(order.map((isAgain) => reserve({ ...wanted, under, isAgain })))
    expect(answers).toEqual([undefined, undefined])
    // Two requests hold it: the first one, and the one that was new.
    await releaseBudget(sql, wanted)
    expect(await isHeld()).toBe(true)
    await releaseBudget(sql, wanted)
    expect(await isHeld()).toBe(false)
  },
)
