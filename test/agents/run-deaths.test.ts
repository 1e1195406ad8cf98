import { randomBytes } from 'node:crypto'
import { type ScriptedModel, startScriptedModel } from '@symbolon/testing/agents'
import { liftRates } from '@symbolon/testing/app'
import { sharedChain } from '@symbolon/testing/chain'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { type PlatformProcesses, startPlatformProcesses } from '@symbolon/testing/platform'
import { spreadCases } from '@symbolon/testing/properties'
import { afterAll, beforeAll, test } from 'vitest'
import { expectOneOperationPerKey, expectOnePaymentPerKey } from './call-deaths.ts'
import { type DeathSite, deathSite } from './death-site.ts'
import {
  type DeathPoint,
  expectAskedOnceThroughDeath,
  expectOnceThroughDeath,
  expectOneOperationThroughDeath,
} from './run-deaths.ts'

let database: TestDatabase
let platform: PlatformProcesses
let site: DeathSite
let model: ScriptedModel

beforeAll(async () => {
  const chain = await sharedChain()
  model = await startScriptedModel('openai')
  database = await testDatabase()
  // Each write that is held has a connection of its own.
  const environment = {
    DATABASE_CONNECTIONS: '16',
    AGENT_LLM_URL: model.url,
    AGENT_LLM_MODEL: 'small-1',
  }
  platform = await startPlatformProcesses({
    databaseUrl: database.url,
    apiCount: 2,
    chains: [chain],
    environment,
  })
  await liftRates(platform)
  site = await deathSite(platform, chain)
})
afterAll(async () => {
  site?.rpc.close()
  await platform?.stop()
  await database?.drop()
  await model?.stop()
})

/** Every write of a delegation: the parent's fourth comes with the child's last. */
const journal: Omit<DeathPoint, 'written'>[] = [
  ...[1, 2, 3, 5, 6].map((seq) => ({ of: 'parent' as const, seq })),
  ...[1, 2, 3, 4, 5].map((seq) => ({ of: 'child' as const, seq })),
]
// Signatures are committed together: this one holds up the others.
const transaction: typeof journal = [{ of: 'transaction', seq: 0 }]

// In the suite every second write, before it or after it: each of them is one of the two.
test.each([
  ['before', 'a journal', spreadCases(journal, 2)],
  ['after', 'a journal', spreadCases(journal, 2, 1)],
  ['before', 'the transactions', transaction],
  ['after', 'the transactions', transaction],
] as const)(
  'kill -9 right %s any write of %s: another process goes on, and the money is sent once',
  (when, _, points) =>
    expectOnceThroughDeath(
      site,
      points.map((point) => ({ ...point, written: when === 'after' })),
    ),
)

test("a model's answer is never asked for twice: it is in the journal before anything of it is done", async () => {
  const to = `0x${randomBytes(20).toString('hex')}` as const
  const value = '10000000000000000'
  model.says({ calls: [{ tool: 'send_transaction', arguments: { chain: 'local', to, value } }] })
  await expectAskedOnceThroughDeath(site, { asked: () => model.requests.length, to })
})

test('an operation of a smart account is submitted once, wherever the process that builds it dies', () =>
  expectOneOperationThroughDeath(site))

test('a call under a key submits one operation, wherever the process that serves it dies', () =>
  expectOneOperationPerKey(site))

test('a POST that was paid for under a key is paid for once, wherever the process that serves it dies', () =>
  expectOnePaymentPerKey(site))
