import { mintBody, mintSession } from '@symbolon/testing/agents'
import { makeTenant, makeWalletFor, startTestApp, type TestApp } from '@symbolon/testing/app'
import { holdOrganization, untilWaiting } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

test.each(['mints', 'revokes'])('a key that is revoked while it %s changes nothing', async (what) => {
  const tenant = await makeTenant(app)
  const { sk, keyId, id } = tenant
  const wallet = await makeWalletFor(app, tenant)
  const session = await mintSession(app, tenant, wallet.id)
  const release = await holdOrganization(app, id)
  const late =
    what === 'mints'
      ? app.call('POST', '/v1/s2s/agent-sessions', { sk, json: mintBody(wallet.id) })
      : app.call('POST', `/v1/orgs/${id}/agent-sessions/${session.id}/revoke`, { sk })
  await untilWaiting(app)
  await release(`update api_keys set revoked_at = app_now() where id = '${keyId}'`)
  expect((await late).error?.code).toBe('unauthorized')
  const rows = await app.sql`select id, status from agent_sessions where organization_id = ${id}`
  expect(rows).toEqual([{ id: session.id, status: 'active' }])
})
