import {
  anyAddress,
  eventsOf,
  mintSession,
  mySession,
  signAs,
  transferRequest,
  violation,
} from '@symbolon/testing/agents'
import {
  liftRates,
  makeTenant,
  makeWalletFor,
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
  await liftRates(app)
  tenant = await makeTenant(app)
  owner = await newMember(app, tenant.id, 'owner')
})
afterAll(() => app?.stop())

const newSession = async () => {
  const wallet = await makeWalletFor(app, tenant)
  return { wallet, session: await mintSession(app, tenant, wallet.id) }
}
const outcomes = async (session: Parameters<typeof eventsOf>[2]) =>
  (await eventsOf(app, owner, session)).items.map(({ outcome, reason_code }) => [outcome, reason_code])

test('a wallet that was archived since it last signed is refused, holds nothing, and signs again when it is back', async () => {
  const { wallet, session } = await newSession()
  const pay = (value: bigint, more: object = {}) =>
    signAs(app, session.token, { ...transferRequest(anyAddress(), value), ...more })
  expect((await pay(5n)).status).toBe(200)
  const archive = (verb: string) =>
    app.call('POST', `/v1/s2s/wallets/${wallet.id}/${verb}`, { sk: tenant.sk })
  expect((await archive('archive')).status).toBe(204)

  expect((await pay(7n, { dry_run: true })).data.decision).toMatchObject({
    outcome: 'rejected',
    reason: 'wallet_archived',
  })
  for (const value of [7n, 8n]) {
    expect(violation(await pay(value))).toMatchObject({ reason: 'wallet_archived', layer: 'organization' })
  }
  const spent = { spent_total_native: '5', reserved_native: '0' }
  expect(await mySession(app, session.token)).toMatchObject(spent)
  expect(await outcomes(session)).toEqual([
    ['rejected', 'wallet_archived'],
    ['rejected', 'wallet_archived'],
    ['allowed', null],
  ])

  expect((await archive('unarchive')).status).toBe(204)
  expect((await pay(9n, { dry_run: true })).data.decision).toMatchObject({ outcome: 'allowed' })
  expect((await pay(9n)).status).toBe(200)
})

test('a signing request that cannot be read has an event too', async () => {
  const { session } = await newSession()
  const paths = ['/v1/agents/me/sign', '/v1/agents/me/transactions', '/v1/s2s/sign']
  const broken: [number, { headers?: Record<string, string>; body: string }][] = [
    [413, { body: JSON.stringify({ type: 'message', message: 'x'.repeat(300 << 10) }) }],
    [415, { body: 'hello', headers: { 'content-type': 'text/plain' } }],
    [400, { body: '{"type":"message","message":"x"}', headers: { 'idempotency-key': 'ä' } }],
    [400, { body: '{"type":"message"' }],
  ]
  for (const path of paths) {
    for (const [status, { body, headers }] of broken) {
      const answer = await fetch(app.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${session.token}`, 'content-type': 'application/json', ...headers },
        body,
      })
      expect([path, answer.status]).toEqual([path, status])
    }
  }
  const events = await outcomes(session)
  expect(events).toEqual(
    Array.from({ length: paths.length * broken.length }, () => ['error', 'invalid_request']),
  )
  const stranger = await fetch(`${app.url}/v1/agents/me/sign`, {
    method: 'POST',
    headers: { authorization: 'Bearer as_live_nobody', 'content-type': 'text/plain' },
    body: 'hello',
  })
  expect(stranger.status).toBe(401)
})

test('a message that names no chain is refused with the chain that was assumed for it', async () => {
  const wallet = await makeWalletFor(app, tenant)
  const session = await mintSession(app, tenant, wallet.id, { allowed_chains: ['local', 'base'] })
  const { error } = await signAs(app, session.token, { type: 'message', message: 'hello' })
  expect(error?.message).toBe(
    'The policy refuses this: the session allows the chains local, base, but this is on ethereum; the request names no chain, so ethereum was assumed (chain_not_allowed).',
  )
  const named = await signAs(app, session.token, { type: 'message', message: 'hello', chain: 'tron' })
  expect(named.error?.message).not.toContain('assumed')
})

test('a dry run that makes no sense leaves no event', async () => {
  const { session } = await newSession()
  const dry = { dry_run: true }
  for (const body of [
    { type: 'x', ...dry },
    { type: 'message', ...dry },
    { type: 'message', message: 'hello', chain: 'nowhere', ...dry },
  ]) {
    expect((await signAs(app, session.token, body)).status).toBe(400)
  }
  expect(await outcomes(session)).toEqual([])
  await signAs(app, session.token, { type: 'x', dry_run: false })
  expect(await outcomes(session)).toEqual([['error', 'invalid_request']])

  await app.call('POST', `/v1/orgs/${tenant.id}/agent-sessions/${session.id}/revoke`, { sk: tenant.sk })
  const over = await signAs(app, session.token, { type: 'x', ...dry })
  expect(over).toMatchObject({ status: 401, error: { code: 'token_revoked' } })
  expect(await outcomes(session)).toHaveLength(1)
})
