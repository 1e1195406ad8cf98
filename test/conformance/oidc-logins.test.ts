import { randomUUID } from 'node:crypto'
import { auditEventTypes } from '@symbolon/api'
import {
  makeTenant,
  startClock,
  startTestApp,
  stopClock,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { type OidcIssuer, startOidcIssuer } from '@symbolon/testing/http'
import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

let app: TestApp
let second: TestApp
let provider: OidcIssuer
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  second = await startTestApp({ installation: app })
  provider = await startOidcIssuer()
})
afterAll(async () => {
  await provider.stop()
  await second.stop()
  await app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app, { oidc: { issuer: provider.issuer, audience: 'app' } })
})

const identify = (token: string, process = app) =>
  process.call('POST', '/v1/wallets/identify', { pk: tenant.pk, token })

/** The organization's login events, oldest first. */
const logins = () => app.sql`
  select success, error_code, actor_type, actor_id, user_identity_id, payload from audit_events
  where organization_id = ${tenant.id} and type = ${auditEventTypes.indexOf('user.logged_in')} order by n`

test('the first acceptance of a token is a login in the log: once, over all processes and requests', async () => {
  const token = await provider.mint('carol', { jti: randomUUID() })
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, i) => identify(token, i % 2 ? app : second)),
  )
  const { user_identity_id: id } = answers[0]?.data ?? {}
  expect(await logins()).toMatchObject([
    {
      success: true,
      actor_type: 'end_user',
      actor_id: id,
      user_identity_id: id,
      payload: { auth_provider: 'oidc' },
    },
  ])
  await identify(await provider.mint('carol', { jti: randomUUID() }))
  expect((await logins()).map((event) => event['actor_id'])).toEqual([id, id])
})

test('a token that names the issuer and is refused is a failed login, whatever is wrong with it', async () => {
  const stranger = await generateKeyPair('ES256')
  const forged = await new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
    .setIssuer(provider.issuer)
    .setAudience('app')
    .setSubject('carol')
    .setExpirationTime('1h')
    .sign(stranger.privateKey)
  const ended = Math.floor(Date.now() / 1000) - 100
  expect((await identify(forged)).error?.code).toBe('unauthorized')
  await app.sql`update organizations set oidc_audience = 'other' where id = ${tenant.id}`
  expect((await identify(await provider.mint('carol'))).error?.code).toBe('unauthorized')
  await app.sql`update organizations set oidc_audience = 'app' where id = ${tenant.id}`
  expect((await identify(await provider.mint('carol', { nbf: ended + 10_000 }))).error?.code).toBe(
    'unauthorized',
  )
  const late = await provider.mint('carol')
  try {
    await stopClock(app, Date.now() + 7_200_000)
    expect((await identify(late)).error?.code).toBe('token_expired')
  } finally {
    await startClock(app)
  }
  const events = await logins()
  expect(events.map((event) => [event['success'], event['error_code'], event['actor_id']])).toEqual([
    [false, 'unauthorized', ''],
    [false, 'unauthorized', ''],
    [false, 'unauthorized', ''],
    [false, 'token_expired', ''],
  ])
})

test('a token of another issuer is nobody’s login here', async () => {
  const other = await startOidcIssuer()
  expect((await identify(await other.mint('carol'))).error?.code).toBe('unauthorized')
  await other.stop()
  expect(await logins()).toEqual([])
})

test('a flood of refused tokens leaves a few events, and one a minute after', async () => {
  const forge = async (i: number) =>
    `${(await provider.mint('carol')).slice(0, -8)}AAAAAA${i % 2 ? 'AA' : 'BA'}`
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => identify(await forge(i), i % 2 ? app : second)),
  )
  expect(answers.map(({ error }) => error?.code)).toEqual(answers.map(() => 'unauthorized'))
  expect(await logins()).toHaveLength(10)
})
