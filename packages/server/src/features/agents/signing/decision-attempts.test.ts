import {
  type AccountRow,
  testIds as ids,
  seedAccount,
  seedAgentSession,
  type TestDatabase,
  testDatabase,
} from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Attempt } from '../../../db/attempts.ts'
import { openPool, type Sql } from '../../../db/pool.ts'
import { idempotencyStore } from '../../../http/idempotency.store.ts'
import { processesStore } from '../../processes/processes.store.ts'
import type { AgentOutcome, DecisionRecord } from './decision-record.ts'
import { decisionsStore } from './decisions.store.ts'

let database: TestDatabase
let pools: [Sql, Sql]
let owner: AccountRow
let sessionId: string

beforeAll(async () => {
  database = await testDatabase()
  pools = [openPool(database.url, { connectionsMax: 4 }), openPool(database.url, { connectionsMax: 4 })]
  owner = await seedAccount(pools[0])
  const { organizationId, account } = owner
  sessionId = await seedAgentSession(pools[0], { organizationId, walletId: account.walletId })
})
afterAll(async () => {
  for (const pool of pools) await pool.end({ timeout: 1 })
  await database.drop()
})

const scope = new Uint8Array(32).fill(1)
const bodyHash = new Uint8Array(32).fill(2)

/** An attempt of the key for the process; undefined where another one has it. */
async function attemptOf(key: string, processId: string, sql: Sql): Promise<Attempt | undefined> {
  const attemptId = ids.next()
  const isTaken = await idempotencyStore.take(sql, { scope, key }, bodyHash, { attemptId, processId })
  return isTaken ? { scope, key, attemptId } : undefined
}

/** Commits a decision with its audit event; returns why not. */
async function decide(attempt: Attempt | undefined, sql: Sql, outcome: AgentOutcome = 'allowed') {
  const { organizationId, account } = owner
  const hasSucceeded = outcome === 'allowed'
  const own = attempt && { attempt: { ...attempt, hasSucceeded } }
  const audit = {
    organizationId,
    type: hasSucceeded ? 'wallet.signed' : 'wallet.sign_refused',
    walletId: account.walletId,
    actorType: 'agent',
    actorId: sessionId,
    success: hasSucceeded,
  } as const
  const facts = { chain: null, method: null, target: null, value: null, fee: null, asset: null } as const
  const decision: DecisionRecord = {
    organizationId,
    sessionId,
    runId: null,
    outcome,
    reason: null,
    layer: null,
    facts: { ...facts, payloadSha256: null },
    txHash: null,
    audit,
    ...own,
  }
  const entries = [{ id: ids.next(), event: audit, ...own }]
  const { broken } = await decisionsStore.commit(sql, [decision], [ids.next()], entries)
  return broken.get(0)
}

const events = async () =>
  (await pools[0]`select 1 from agent_events where session_id = ${sessionId}`).length +
  (await pools[0]`select 1 from audit_events where organization_id = ${owner.organizationId}`).length

const stateOf = async (key: string) => (await idempotencyStore.find(pools[0], { scope, key }))?.state

test('a decision of a key that another process has taken over is not committed, and leaves no event', async () => {
  const [first, second] = [ids.next(), ids.next()]
  const late = await attemptOf('late', first, pools[0])
  await processesStore.release(pools[0], first)
  const heir = await attemptOf('late', second, pools[1])
  const before = await events()
  expect(await decide(late, pools[0])).toBe('attempt_lost')
  expect(await decide(late, pools[0], 'rejected')).toBe('attempt_lost')
  expect(await events()).toBe(before)
  expect(await decide(heir, pools[1])).toBe(undefined)
  expect(await stateOf('late')).toBe('committed')
})

test('a refusal is something that was committed: its key is spent when the process dies, and free when it fails', async () => {
  const processId = ids.next()
  const failing = await attemptOf('failing', processId, pools[0])
  await decide(await attemptOf('refused', processId, pools[0]), pools[0], 'rejected')
  await decide(failing, pools[0], 'error')
  expect([await stateOf('refused'), await stateOf('failing')]).toEqual(['touched', 'touched'])
  await idempotencyStore.release(pools[0], { scope, key: 'failing' }, failing?.attemptId ?? '')
  await processesStore.release(pools[0], processId)
  expect([await stateOf('refused'), await stateOf('failing')]).toEqual(['spent', undefined])
})

test('of a slow owner and the one who takes its key over, exactly one commits its decision, whenever that is', async () => {
  for (let i = 0; i < 12; i++) {
    const [key, first] = [`race ${i}`, ids.next()]
    const slow = await attemptOf(key, first, pools[0])
    const before = await events()
    const takeOver = async () => {
      await processesStore.release(pools[1], first)
      const heir = await attemptOf(key, ids.next(), pools[1])
      return heir === undefined ? 'spent' : decide(heir, pools[1])
    }
    const [mine, theirs] = await Promise.all([decide(slow, pools[0]), takeOver()])
    expect([
      [undefined, 'spent'],
      ['attempt_lost', undefined],
    ]).toContainEqual([mine, theirs])
    expect(await events()).toBe(before + 2)
  }
})
