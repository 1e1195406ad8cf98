import { randomUUID } from 'node:crypto'
import { auditEventTypes, type ReceiptPage } from '@symbolon/api'
import {
  advanceClock,
  holdOrganization,
  type TestDatabase,
  testDatabase,
  untilWaiting,
} from '@symbolon/testing/database'
import {
  type ApiProcess,
  createOrganization,
  createWalletFor,
  mintSecretKeys,
  type Organization,
  type PlatformProcesses,
  secret,
  signFor,
  startPlatformProcesses,
} from '@symbolon/testing/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'

let database: TestDatabase
let platform: PlatformProcesses
let apis: [ApiProcess, ApiProcess]
let organization: Organization
let keys: string[]
let walletIds: string[]
let neighbor: { key: string; walletId: string }

beforeAll(async () => {
  database = await testDatabase()
  platform = await startPlatformProcesses({ databaseUrl: database.url })
  apis = platform.apis as [ApiProcess, ApiProcess]
  organization = await createOrganization(apis[0])
  keys = (await mintSecretKeys(platform, organization.id, 20)).map(({ key }) => key)
  const made = await Promise.all(
    [0, 1, 2].map(() => createWalletFor(apis[0], organization.secret_key, randomUUID())),
  )
  walletIds = made.map(({ data }) => data['id'] as string)
  const { secret_key: key } = await createOrganization(apis[0])
  const { data } = await createWalletFor(apis[0], key, randomUUID())
  neighbor = { key, walletId: data['id'] as string }
})
afterAll(async () => {
  await platform?.stop()
  await database?.drop()
})

let turn = 0
/** Signs in one process; the receipt, or undefined where no answer came. */
async function sign(api: ApiProcess): Promise<string | undefined> {
  turn += 1
  const body = {
    type: 'message',
    message: `message ${turn}`,
    chain: 'local',
    receipt: true,
    wallet_id: walletIds[turn % 3],
  }
  const headers = secret(keys[turn % keys.length] ?? '')
  const answer = await api.call('/v1/s2s/sign', { method: 'POST', headers, body }).catch(() => undefined)
  return answer?.data?.['receipt'] as string | undefined
}

async function listed(): Promise<ReceiptPage['items']> {
  const items: ReceiptPage['items'] = []
  for (let after = 0; ; ) {
    const headers = secret(keys[++turn % keys.length] ?? '')
    const { data } = await apis[1].call(`/v1/s2s/receipts?after=${after}&limit=37`, { headers })
    const page = data as unknown as ReceiptPage
    items.push(...page.items)
    if (!page.has_more) return items
    after = page.last
  }
}

const voided = async (): Promise<{ kid: string; counter: number }[]> => {
  const rows = await database.sql<{ payload: { kid: string; counter: number } }[]>`
    select payload from audit_events
    where organization_id = ${organization.id} and type = ${auditEventTypes.indexOf('receipt.voided')}`
  return rows.map(({ payload }) => payload)
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
const sorted = (numbers: number[]) => numbers.toSorted((one, other) => one - other)

test('two processes that sign at once make one list without gaps, which pages read whole', async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => sign(apis[i % 2 === 0 ? 0 : 1])))
  const items = await listed()
  expect(items.map(({ cursor }) => cursor)).toEqual(upTo(200))
  expect(sorted(items.map(({ counter }) => counter))).toEqual(upTo(200))
  expect(items.map(({ receipt }) => receipt).sort()).toEqual(answers.sort())
}, 60_000)

test('a process that is killed between enclave and commit leaves numbers that receipt.voided reports', async () => {
  // What one statement carries waits for the lock; what is signed meanwhile waits in the process, and dies with it.
  const letGo = await holdOrganization(database, organization.id)
  const lost = [sign(apis[0])]
  await untilWaiting(database)
  lost.push(...Array.from({ length: 12 }, () => sign(apis[0])))
  // What another organization asks for later is answered: the enclave has signed those before it.
  for (let i = 0; i < 12; i++)
    expect((await signFor(apis[0], neighbor.key, neighbor.walletId)).status).toBe(200)
  const pid = apis[0].workerPid()
  if (pid === undefined) throw new Error('no worker')
  process.kill(pid, 'SIGKILL')
  expect(await Promise.all(lost)).toEqual(lost.map(() => undefined))
  await letGo()
  await platform.ready()
  expect(await sign(apis[0])).toBeDefined()

  const highest = Math.max(...(await listed()).map(({ counter }) => counter))
  const missing = upTo(highest).filter(missingIn((await listed()).map(({ counter }) => counter)))
  expect(missing.length).toBeGreaterThan(0)
  expect(await voided()).toEqual([])
  await advanceClock(database.sql, 61_000)
  await expect
    .poll(async () => sorted((await voided()).map(({ counter }) => counter)), { timeout: 30_000 })
    .toEqual(missing)
  const items = await listed()
  expect(items.map(({ cursor }) => cursor)).toEqual(upTo(items.length))
  expect(sorted([...items.map(({ counter }) => counter), ...missing])).toEqual(upTo(highest))
}, 90_000)

const missingIn = (known: number[]) => {
  const all = new Set(known)
  return (number: number) => !all.has(number)
}
