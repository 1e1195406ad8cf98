import type { SignResponse } from '@symbolon/api'
import type { Transaction } from '@symbolon/server/pool'
import { readJwt, tokenName } from '@symbolon/server/testing/organizations'
import {
  forgetRates,
  login,
  makeTenant,
  makeWallet,
  makeWalletFor,
  mintSecretKey,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { untilWaiting } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let second: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  second = await startTestApp({ installation: app })
  tenant = await makeTenant(app)
})
afterAll(async () => {
  await second.stop()
  await app.stop()
})

const message = { type: 'message', message: 'hello' }
const signFor = (process: TestApp, wallet_id: string, sk = tenant.sk) =>
  process.call<SignResponse>('POST', '/v1/s2s/sign', { sk, json: { ...message, wallet_id } })

test('a process that remembers a wallet refuses it once another process has archived it', async () => {
  const { id } = await makeWalletFor(app, tenant)
  for (let i = 0; i < 3; i++) {
    expect((await signFor(app, id)).status).toBe(200)
    await second.call('POST', `/v1/s2s/wallets/${id}/archive`, { sk: tenant.sk })
    expect(await signFor(app, id)).toMatchObject({
      status: 409,
      data: null,
      error: { code: 'wallet_archived' },
    })
    await second.call('POST', `/v1/s2s/wallets/${id}/unarchive`, { sk: tenant.sk })
  }
})

/**
 * Lets a request be authenticated and signed, but holds its commit back until `change` is committed: the lock that archive,
 * revoke and logout take is the one the commit waits for.
 */
async function overtaken<result>(call: () => Promise<result>, change: (tx: Transaction) => Promise<unknown>) {
  let answer: Promise<result> | undefined
  await app.database.sql.begin(async (tx) => {
    await tx`select 1 from organization_counters where organization_id = ${tenant.id} for update`
    answer = call()
    await untilWaiting(app, 1, 'commit_events')
    await change(tx)
  })
  return answer
}

test('a key that is revoked between authentication and commit releases no signature', async () => {
  const { id } = await makeWalletFor(app, tenant)
  const { id: keyId, key } = await mintSecretKey(app, tenant)
  expect((await signFor(app, id, key)).status).toBe(200)
  const answer = await overtaken(
    () => signFor(app, id, key),
    (tx) => tx`update api_keys set revoked_at = app_now() where id = ${keyId}`,
  )
  expect(answer).toMatchObject({ status: 401, data: null, error: { code: 'unauthorized' } })
  expect(answer?.text).not.toContain('signature')
})

test('a wallet that is archived between authentication and commit releases no signature', async () => {
  const { id } = await makeWalletFor(app, tenant)
  expect((await signFor(app, id)).status).toBe(200)
  const answer = await overtaken(
    () => signFor(app, id),
    (tx) => tx`select set_wallet_status(${tenant.id}, ${id}, 'archived')`,
  )
  expect(answer).toMatchObject({ status: 409, data: null, error: { code: 'wallet_archived' } })
})

test('a token that is logged out between authentication and commit releases no signature', async () => {
  const user = await login(app, tenant)
  await makeWallet(app, user)
  const sign = () => app.call<SignResponse>('POST', '/v1/wallets/me/sign', { ...user, json: message })
  expect((await sign()).status).toBe(200)
  await forgetRates(app)
  const jwt = readJwt(user.token)
  const hash = jwt === undefined ? '' : tokenName(jwt)
  const answer = await overtaken(
    sign,
    (tx) =>
      tx`insert into revoked_tokens values (${tenant.id}, decode(${hash}, 'hex'), app_now() + interval '1 hour')`,
  )
  expect(answer).toMatchObject({ status: 401, data: null, error: { code: 'token_revoked' } })
})

test('every refusal at the commit is in the log, and no event reports a signature that never left', async () => {
  const rows = await app.sql<{ error_code: string }[]>`
    select error_code from audit_events where organization_id = ${tenant.id} and not success and error_code <> ''
    order by n`
  const codes = rows.map(({ error_code }) => error_code)
  expect(codes.filter((code) => code === 'wallet_archived')).toHaveLength(4)
  expect(codes.filter((code) => code === 'unauthorized')).toHaveLength(1)
  expect(codes.filter((code) => code === 'token_revoked')).toHaveLength(1)
})
