import { auditEventTypes } from '@symbolon/api'
import {
  forgetRates,
  login,
  makeTenant,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { base64, makeClientWallet } from '@symbolon/testing/wallets'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app, { signingMode: 'client' })
})
afterAll(() => app.stop())

test('the purpose of a request for a provider share goes to the log, and changes nothing else', async () => {
  const user = await login(app, tenant)
  const { key, wallet } = await makeClientWallet(app, user)
  const expected: [string, string, string][] = [
    ['', 'provider_share.released', 'sign'],
    ['?purpose=sign', 'provider_share.released', 'sign'],
    ['?purpose=refresh&curve=secp256k1', 'provider_share.released', 'refresh'],
    ['?purpose=export', 'wallet.exported', 'export'],
  ]
  for (const [query] of expected) {
    await forgetRates(app)
    const answer = await app.call('POST', `/v1/wallets/me/shares/provider${query}`, user)
    expect(answer.data).toEqual({
      wallet_id: wallet.id,
      provider_share: base64(key.provider),
      share_index: 2,
    })
  }
  const rows = await app.sql<{ type: number }[]>`
    select type, payload, success, user_identity_id from audit_events where wallet_id = ${wallet.id} and type > 12 order by n`
  expect(rows.map((row) => ({ ...row, type: auditEventTypes[row.type] }))).toEqual(
    expected.map(([, type, purpose]) => ({
      type,
      payload: { curve: 'secp256k1', polynomial_version: 1, purpose },
      success: true,
      user_identity_id: user.id,
    })),
  )
})

test('all purposes share one rate, and another purpose is an invalid request', async () => {
  await forgetRates(app)
  const user = await login(app, tenant)
  await makeClientWallet(app, user)
  const ask = (purpose: string) => app.call('POST', `/v1/wallets/me/shares/provider?purpose=${purpose}`, user)
  const statuses = []
  for (const purpose of ['sign', 'export', 'refresh', 'export']) statuses.push((await ask(purpose)).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  await forgetRates(app)
  for (const purpose of ['', 'EXPORT', 'sign&purpose=export'])
    expect((await ask(purpose)).status, purpose).toBe(400)
})

test('an export of an archived wallet is refused, and the log says what was tried', async () => {
  const user = await login(app, tenant)
  const { wallet } = await makeClientWallet(app, user)
  await app.call('POST', `/v1/s2s/wallets/${wallet.id}/archive`, { sk: tenant.sk })
  const answer = await app.call('POST', '/v1/wallets/me/shares/provider?purpose=export', user)
  expect([answer.status, answer.error?.code]).toEqual([409, 'wallet_archived'])
  const rows = await app.sql`
    select success, error_code from audit_events
    where wallet_id = ${wallet.id} and type = ${auditEventTypes.indexOf('wallet.exported')}`
  expect(rows).toEqual([{ success: false, error_code: 'wallet_archived' }])
})
