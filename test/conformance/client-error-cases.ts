import { randomUUID } from 'node:crypto'
import type { ErrorCode, Wallet } from '@symbolon/api'
import type { Answer } from '@symbolon/testing/app'
import {
  base64,
  type ClientKey,
  completionBody,
  creationBody,
  makeClientWallet,
  newClientKey,
  recoverySteps,
  refreshBody,
} from '@symbolon/testing/wallets'
import { callRoute } from './call-route.ts'
import type { Provoke } from './error-cases.ts'
import type { FastUser, Fixture } from './fixture.ts'

type Owner = {
  user: FastUser
  key: ClientKey
  wallet: Wallet
  walletId: string
  steps: ReturnType<typeof recoverySteps>
}
type Act = (fixture: Fixture, owner: Owner) => Promise<Answer>

/** A user with a client wallet. */
async function newOwner(fixture: Fixture): Promise<Owner> {
  const user = await fixture.newUser(fixture.client)
  const { key, wallet } = await makeClientWallet(fixture.app, user)
  return { user, key, wallet, walletId: wallet.id, steps: recoverySteps(fixture.app, user) }
}

const owned =
  (act: Act): Provoke =>
  async (fixture) =>
    act(fixture, await newOwner(fixture))

/** Calls the route as a user of `tenant` who has no wallet there. */
const without =
  (path: string, tenant: 'client' | 'tenant', json?: object): Provoke =>
  async (fixture, route) =>
    fixture.app.call(route.method, `/v1/wallets/me/${path}`, {
      ...(await fixture.newUser(fixture[tenant])),
      ...(json !== undefined && { json }),
    })

/** Creates a client wallet whose fields are changed. */
const createWith =
  (change: object): Provoke =>
  async ({ app, client, newUser }) =>
    app.call('POST', '/v1/wallets', {
      ...(await newUser(client)),
      json: { ...creationBody(newClientKey()), ...change },
    })

/** Runs in a customer-managed organization that has no webhook. */
async function withoutWebhook<result>({ app, client }: Fixture, run: () => Promise<result>): Promise<result> {
  const set = (mode: string) =>
    app.sql`update organizations set recovery_mode = ${mode} where id = ${client.id}`
  await set('customer_managed')
  try {
    return await run()
  } finally {
    await set('service_managed')
  }
}

const archive = ({ app, client }: Fixture, { walletId }: Owner) =>
  app.call('POST', `/v1/s2s/wallets/${walletId}/archive`, { sk: client.sk })

/** Runs while the organization has other settings than the usual ones. */
async function withSettings(
  { app, client }: Fixture,
  { exports = true, delay = 0 }: { exports?: boolean; delay?: number },
  run: () => Promise<Answer>,
): Promise<Answer> {
  const set = (isOn: boolean, seconds: number) =>
    app.sql`update organizations set export_enabled = ${isOn}, high_risk_delay_seconds = ${seconds} where id = ${client.id}`
  await set(exports, delay)
  try {
    return await run()
  } finally {
    await set(true, 0)
  }
}

const expire = ({ app }: Fixture, id: string) =>
  app.sql`update recovery_processes set expires_at = app_now() where id = ${id}`

const provider = (fixture: Fixture, user: FastUser, query = '', headers = {}) =>
  fixture.app.call('POST', `/v1/wallets/me/shares/provider${query}`, { ...user, headers })

const fill = ({ app }: Fixture, key: string) =>
  app.sql`insert into rate_limits (key, tat, seen_at, period_seconds, burst, granted)
    values (${key}, extract(epoch from app_now()) + 100000, extract(epoch from app_now()), 1, 1, 0)
    on conflict (key) do update set tat = excluded.tat`

const id = randomUUID()
const shares = newClientKey()

const createErrors: Partial<Record<ErrorCode, Provoke>> = {
  address_mismatch: createWith({ address: newClientKey().address }),
  invalid_share: createWith({ provider_share: base64(new Uint8Array(32)) }),
  recovery_webhook_failed: (fixture, route) => withoutWebhook(fixture, () => createWith({})(fixture, route)),
}

const shareErrors: Partial<Record<ErrorCode, Provoke>> = {
  signing_mode_mismatch: without('shares/provider', 'tenant'),
  wallet_not_found: without('shares/provider', 'client'),
  invalid_curve: async (fixture) =>
    provider(fixture, await fixture.newUser(fixture.clientEvm), '?curve=ed25519'),
  wallet_archived: owned(async (fixture, owner) => {
    await archive(fixture, owner)
    return provider(fixture, owner.user)
  }),
  rate_limited: owned(async (fixture, { user }) => {
    await fill(fixture, `provider-share:${user.id}`)
    return provider(fixture, user)
  }),
  export_disabled: owned((fixture, { user }) =>
    withSettings(fixture, { exports: false }, () => provider(fixture, user, '?purpose=export')),
  ),
  idempotency_key_spent: owned(async (fixture, { user }) => {
    const headers = { 'idempotency-key': randomUUID() }
    await provider(fixture, user, '', headers)
    return provider(fixture, user, '', headers)
  }),
}

const refreshPath = '/v1/wallets/me/shares/refresh'
const anyRefresh = refreshBody(shares, { id, polynomial_version: 1 }, shares)

/** Sends a refresh that is right but for what is changed. */
const refresh =
  (change: object = {}): Act =>
  ({ app }, { user, key, wallet }) =>
    app.call('POST', refreshPath, { ...user, json: { ...refreshBody(key, wallet, shares), ...change } })

const refreshErrors: Partial<Record<ErrorCode, Provoke>> = {
  signing_mode_mismatch: without('shares/refresh', 'tenant', anyRefresh),
  wallet_not_found: without('shares/refresh', 'client', anyRefresh),
  invalid_curve: async ({ app, clientEvm, newUser }) =>
    app.call('POST', refreshPath, {
      ...(await newUser(clientEvm)),
      json: { ...anyRefresh, curve: 'ed25519' },
    }),
  invalid_share: owned(refresh({ new_provider_share: base64(new Uint8Array(32)) })),
  invalid_signature: owned(refresh({ signature: anyRefresh.signature })),
  wallet_archived: owned(async (fixture, owner) => {
    await archive(fixture, owner)
    return refresh()(fixture, owner)
  }),
  process_state: owned((fixture, owner) =>
    refresh()(fixture, { ...owner, wallet: { ...owner.wallet, polynomial_version: 9 } }),
  ),
  recovery_webhook_failed: owned((fixture, owner) =>
    withoutWebhook(fixture, () => refresh()(fixture, owner)),
  ),
  rate_limited: owned(async (fixture, owner) => {
    await fill(fixture, `share-refresh:${owner.user.id}`)
    return refresh()(fixture, owner)
  }),
}

const initiateErrors: Partial<Record<ErrorCode, Provoke>> = {
  signing_mode_mismatch: without('recovery/initiate', 'tenant'),
  wallet_not_found: without('recovery/initiate', 'client'),
  invalid_curve: async (fixture) =>
    recoverySteps(fixture.app, await fixture.newUser(fixture.clientEvm)).initiate({ curve: 'ed25519' }),
  no_email: async ({ app, clientOidc, issuer }) =>
    app.call('POST', '/v1/wallets/me/recovery/initiate', {
      pk: clientOidc.pk,
      token: await issuer.mint('nameless'),
    }),
  wallet_archived: owned(async (fixture, owner) => {
    await archive(fixture, owner)
    return owner.steps.initiate()
  }),
  rate_limited: owned(async (_, { steps }) => {
    for (let i = 0; i < 5; i++) await steps.initiate()
    return steps.initiate()
  }),
}

const verifyErrors: Partial<Record<ErrorCode, Provoke>> = {
  signing_mode_mismatch: without(`recovery/${id}/verify`, 'tenant', { code: '123456' }),
  wallet_not_found: without(`recovery/${id}/verify`, 'client', { code: '123456' }),
  invalid_code: owned(async (_, { steps }) => {
    const started = await steps.start()
    return steps.verify(started.id, started.code === '000000' ? '000001' : '000000')
  }),
  wallet_archived: owned(async (fixture, owner) => {
    const started = await owner.steps.start()
    await archive(fixture, owner)
    return owner.steps.verify(started.id, started.code)
  }),
  process_state: owned(async (_, { steps }) => {
    const { id: verified } = await steps.verified()
    return steps.verify(verified, '123456')
  }),
  expired: owned(async (fixture, { steps }) => {
    const started = await steps.start()
    await expire(fixture, started.id)
    return steps.verify(started.id, started.code)
  }),
  rate_limited: owned(async (fixture, { steps }) => {
    const started = await steps.start()
    await fill(fixture, 'recovery-address:127.0.0.1')
    try {
      return await steps.verify(started.id, started.code)
    } finally {
      await fixture.app.sql`delete from rate_limits`
    }
  }),
  recovery_delayed: owned(async (fixture, { steps }) => {
    const started = await steps.start()
    return withSettings(fixture, { delay: 60 }, () => steps.verify(started.id, started.code))
  }),
  recovery_webhook_failed: owned(async (fixture, { steps, walletId }) => {
    const started = await steps.start()
    await fixture.app.sql`
      update wallet_shares set recovery_at = 'webhook', recovery_id = null where wallet_id = ${walletId}`
    return steps.verify(started.id, started.code)
  }),
  idempotency_key_spent: owned(async ({ app }, { user, steps }) => {
    const started = await steps.start()
    const options = {
      ...user,
      headers: { 'idempotency-key': randomUUID() },
      json: { code: started.code },
    }
    const path = `/v1/wallets/me/recovery/${started.id}/verify`
    await app.call('POST', path, options)
    return app.call('POST', path, options)
  }),
}

const completeErrors: Partial<Record<ErrorCode, Provoke>> = {
  signing_mode_mismatch: without(`recovery/${id}/complete`, 'tenant', completionBody(shares)),
  wallet_not_found: without(`recovery/${id}/complete`, 'client', completionBody(shares)),
  invalid_share: owned(async (_, { steps }) => {
    const { id: verified } = await steps.verified()
    return steps.complete(verified, { ...shares, provider: shares.recovery })
  }),
  wallet_archived: owned(async (fixture, owner) => {
    const { id: verified } = await owner.steps.verified()
    await archive(fixture, owner)
    return owner.steps.complete(verified, shares)
  }),
  process_state: owned(async (_, { steps }) => steps.complete((await steps.start()).id, shares)),
  expired: owned(async (fixture, { steps }) => {
    const { id: verified } = await steps.verified()
    await expire(fixture, verified)
    return steps.complete(verified, shares)
  }),
  recovery_webhook_failed: owned(async (fixture, { steps }) => {
    const { id: verified } = await steps.verified()
    return withoutWebhook(fixture, () => steps.complete(verified, shares))
  }),
}

/** The error cases of the routes of client mode. */
export const clientErrorCases: Record<string, Partial<Record<ErrorCode, Provoke>>> = {
  'frame.get': {
    unauthorized: (fixture, route) =>
      callRoute(fixture, route, { query: `?publishable_key=pk_live_${'0'.repeat(49)}` }),
    origin_not_allowed: (fixture, route) =>
      callRoute(fixture, route, {
        query: `?publishable_key=${fixture.tenant.pk}`,
        headers: { origin: 'https://elsewhere.example.test' },
      }),
    unavailable: (fixture, route) =>
      callRoute(fixture, route, {
        process: fixture.cutOff,
        query: `?publishable_key=${fixture.tenant.pk}`,
      }),
  },

  'wallets.create': createErrors,
  'shares.getProvider': shareErrors,
  'shares.refresh': refreshErrors,
  'recovery.initiate': initiateErrors,
  'recovery.verify': verifyErrors,
  'recovery.complete': completeErrors,
  'recovery.get': {
    signing_mode_mismatch: without(`recovery/${id}`, 'tenant'),
    wallet_not_found: without(`recovery/${id}`, 'client'),
  },
}
