import type { StoredRules } from '@symbolon/api'
import {
  callAs,
  makeTenant,
  newMember,
  type PortalUser,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let tenant: Tenant
let owner: PortalUser

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
  owner = await newMember(app, tenant.id, 'owner')
})
afterAll(() => app?.stop())

test('rules are set by what a read of them answers, and a body that mixes both forms sets nothing', async () => {
  const path = `/v1/orgs/${tenant.id}/rules`
  const ask = (method: 'GET' | 'PUT', body?: unknown) =>
    callAs<StoredRules>(app, owner, body === undefined ? [method, path] : [method, path, body])
  const rules = { blocked_chains: ['polygon'], max_native_per_tx_cap: '7' }
  const bare = await ask('PUT', rules)
  expect(bare.data).toMatchObject({ rules })
  const read = await ask('GET')
  const again = await ask('PUT', read.data)
  expect([again.status, again.data]).toEqual([200, bare.data])
  const changed = await ask('PUT', { rules: { ...rules, max_native_per_tx_cap: '6' } })
  expect(changed.data.rules).toEqual({ ...rules, max_native_per_tx_cap: '6' })
  for (const [body, at] of [
    [{ rules, blocked_chains: [] }, []],
    [{ updated_at: null, blocked_chains: [] }, []],
    [{ rules: { max_native_per_tx_cap: 6 } }, ['rules', 'max_native_per_tx_cap']],
    [{ max_native_per_tx_cap: 6 }, ['max_native_per_tx_cap']],
  ] as const) {
    const { status, error } = await ask('PUT', body)
    expect([status, error?.code, error?.details]).toMatchObject([
      400,
      'invalid_request',
      { issues: [{ path: at }] },
    ])
  }
  expect((await ask('GET')).data).toEqual(changed.data)
  expect((await ask('PUT', { rules: {}, updated_at: null })).data.rules).toEqual({})
})
