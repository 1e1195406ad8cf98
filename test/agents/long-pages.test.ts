import type { AgentSession } from '@symbolon/api'
import { mintSession, setRules } from '@symbolon/testing/agents'
import {
  forgetRates,
  makeTenant,
  makeWalletFor,
  newMember,
  startTestApp,
  stopClock,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let tenant: Tenant
let walletId: string

const blocked = (from: number) =>
  Array.from({ length: 1_000 }, (_, i) => `0x${(from + i).toString(16).padStart(40, '0')}`)
const page = (limit: number) =>
  app.call<{ items: AgentSession[]; total: number }>('GET', `/v1/s2s/agent-sessions?limit=${limit}`, {
    sk: tenant.sk,
  })

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
  const wallet = await makeWalletFor(app, tenant)
  walletId = wallet.id
  const member = await newMember(app, tenant.id, 'owner')
  const around = { member, organizationId: tenant.id, walletId }
  await setRules(app, around, { blocked_recipients: blocked(0) })
  for (let i = 0; i < 30; i++) await mintSession(app, tenant, walletId)
  await setRules(app, around, { blocked_recipients: blocked(10_000) })
  await mintSession(app, tenant, walletId)
})
afterAll(() => app.stop())

test('a page of sessions whose rules are long and have changed since is answered whole, with what is in effect now', async () => {
  const { status, data, text } = await page(31)
  expect(status, text.slice(0, 200)).toBe(200)
  expect(data.items).toHaveLength(31)
  const [newest, ...older] = data.items.map(({ effective_policy: policy }) => policy?.blocked_recipients)
  expect(newest).toHaveLength(1_000)
  for (const list of older) expect(list).toHaveLength(2_000)
})

test('a long answer costs units of the rate limit that the next requests wait for; a short one costs its request alone', async () => {
  const nowMs = Date.now()
  await stopClock(app, nowMs)
  await forgetRates(app)
  const left = async (limit: number) => Number((await page(limit)).headers.get('ratelimit-remaining'))
  expect([await left(1), await left(1), await left(31)]).toEqual([59, 58, 57])
  // Ten looks cost ten units: they alone do not empty the bucket.
  await expect.poll(async () => (await page(1)).status, { interval: 500, timeout: 5_000 }).toBe(429)
  expect(Number((await page(1)).headers.get('retry-after'))).toBeLessThanOrEqual(8)
  await stopClock(app, nowMs + 8_000)
  expect((await page(1)).status).toBe(200)
})
