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
import type { Provoke } from './provocations.ts'
import type { FastUser, World } from './world.ts'

type Owner = {
  user: FastUser
  key: ClientKey
  wallet: Wallet
  walletId: string
  steps: ReturnType<typeof recoverySteps>
}
type Act = (world: World, owner: Owner) => Promise<Answer>

/** A user with a client wallet. */
async function newOwner(world: World): Promise<Owner> {
  const user = await world.newUser(world.client)
  const { key, wallet } = await makeClientWallet(world.app, user)
  return { user, key, wallet, walletId: wallet.id, steps: recoverySteps(world.app, user) }
}

const owned =
  (act: Act): Provoke =>
  async (world) =>
    act(world, await newOwner(world))

/** Calls the route as a user of `tenant` who has no wallet there. */
const without =
  (path: string, tenant: 'client' | 'tenant', json?: object): Provoke =>
  async (world, route) =>
    world.app.call(route.method, `/v1/wallets/me/${path}`, {
      ...(await world.newUser(world[tenant])),
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
async function withoutWebhook<result>({ app, client }: World, run: () => Promise<result>): Promise<result> {
  const set = (mode: string) =>
    app.sql`update organizations set recovery_mode = ${mode} where id = ${client.id}`
  await set('customer_managed')
  try {
    return await run()
  } finally {
    await set('service_managed')
  }
}

const archive = ({ app, client }: World, { walletId }: Owner) =>
  app.call('POST', `/v1/s2s/wallets/${walletId}/archive`, { sk: client.sk })

const expire = ({ app }: World, id: string) =>
  app.sql`update recovery_processes set expires_at = app_now() where id = ${id}`

const provider = (world: World, user: FastUser, query = '', headers = {}) =>
  world.app.call('POST', `/v1/wallets/me/shares/provider${query}`, { ...user, headers })

const fill = ({ app }: World, key: string) =>
  app.sql`insert into rate_limits (key, tat, seen_at, period_seconds, burst, granted)
    values (${key}, extract(epoch from app_now()) + 100000, extract(epoch from app_now()), 1, 1, 0)
    on conflict (key) do update set tat = excluded.tat`

const id = randomUUID()
const shares = newClientKey()

const createErrors: Partial<Record<ErrorCode, Provoke>> = {
  address_mismatch: createWith({ address: newClientKey().address }),
  invalid_share: createWith({ provider_share: base64(new Uint8Array(32)) }),
  recovery_webhook_failed: (world, route) => withoutWebhook(world, () => createWith({})(world, route)),
}

const shareErrors: Partial<Record<ErrorCode, Provoke>> = {
  signing_mode_mismatch: without('shares/provider', 'tenant'),
  wallet_not_found: without('shares/provider', 'client'),
  invalid_curve: async (world) => provider(world, await world.newUser(world.clientEvm), '?curve=ed25519'),
  wallet_archived: owned(async (world, owner) => {
    await archive(world, owner)
    return provider(world, owner.user)
  }),
  rate_limited: owned(async (world, { user }) => {
    await fill(world, `provider-share:${user.id}`)
    return provider(world, user)
  }),
  idempotency_key_spent: owned(async (world, { user }) => {
    const headers = { 'idempotency-key': randomUUID() }
    await provider(world, user, '', headers)
    return provider(world, user, '', headers)
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
  wallet_archived: owned(async (world, owner) => {
    await archive(world, owner)
    return refresh()(world, owner)
  }),
  process_state: owned((world, owner) =>
    refresh()(world, { ...owner, wallet: { ...owner.wallet, polynomial_version: 9 } }),
  ),
  recovery_webhook_failed: owned((world, owner) => withoutWebhook(world, () => refresh()(world, owner))),
  rate_limited: owned(async (world, owner) => {
    await fill(world, `share-refresh:${owner.user.id}`)
    return refresh()(world, owner)
  }),
}

const initiateErrors: Partial<Record<ErrorCode, Provoke>> = {
  signing_mode_mismatch: without('recovery/initiate', 'tenant'),
  wallet_not_found: without('recovery/initiate', 'client'),
  invalid_curve: async (world) =>
    recoverySteps(world.app, await world.newUser(world.clientEvm)).initiate({ curve: 'ed25519' }),
  no_email: async ({ app, clientOidc, issuer }) =>
    app.call('POST', '/v1/wallets/me/recovery/initiate', {
      pk: clientOidc.pk,
      token: await issuer.mint('nameless'),
    }),
  wallet_archived: owned(async (world, owner) => {
    await archive(world, owner)
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
  wallet_archived: owned(async (world, owner) => {
    const started = await owner.steps.start()
    await archive(world, owner)
    return owner.steps.verify(started.id, started.code)
  }),
  process_state: owned(async (_, { steps }) => {
    const { id: verified } = await steps.verified()
    return steps.verify(verified, '123456')
  }),
  expired: owned(async (world, { steps }) => {
    const started = await steps.start()
    await expire(world, started.id)
    return steps.verify(started.id, started.code)
  }),
  rate_limited: owned(async (world, { steps }) => {
    const started = await steps.start()
    await fill(world, 'recovery-address:127.0.0.1')
    try {
      return await steps.verify(started.id, started.code)
    } finally {
      await world.app.sql`delete from rate_limits`
    }
  }),
  recovery_webhook_failed: owned(async (world, { steps, walletId }) => {
    const started = await steps.start()
    await world.app.sql`
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
  wallet_archived: owned(async (world, owner) => {
    const { id: verified } = await owner.steps.verified()
    await archive(world, owner)
    return owner.steps.complete(verified, shares)
  }),
  process_state: owned(async (_, { steps }) => steps.complete((await steps.start()).id, shares)),
  expired: owned(async (world, { steps }) => {
    const { id: verified } = await steps.verified()
    await expire(world, verified)
    return steps.complete(verified, shares)
  }),
  recovery_webhook_failed: owned(async (world, { steps }) => {
    const { id: verified } = await steps.verified()
    return withoutWebhook(world, () => steps.complete(verified, shares))
  }),
}

/** What the routes of client mode are provoked by. */
export const clientProvocations: Record<string, Partial<Record<ErrorCode, Provoke>>> = {
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
