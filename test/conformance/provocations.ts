import { createHash, randomUUID } from 'node:crypto'
import type { ErrorCode, Route } from '@symbolon/api'
import { entryPoint } from '@symbolon/networks/evm'
import { type CallOptions, mailedCode, makeTenant, makeWalletFor, type Tenant } from '@symbolon/testing/app'
import { holdOrganization, untilWaiting } from '@symbolon/testing/database'
import { readJwt } from '../../packages/server/src/features/auth/jwt.ts'
import { tokenName } from '../../packages/server/src/features/auth/token-name.ts'
import { idempotencyStore } from '../../packages/server/src/http/idempotency.store.ts'
import { idempotencyScope } from '../../packages/server/src/http/idempotency.ts'
import { a2aProvocations } from './a2a-provocations.ts'
import { agentProvocations } from './agent-provocations.ts'
import { agentSigningProvocations } from './agent-signing-provocations.ts'
import { agentWorkProvocations } from './agent-work-provocations.ts'
import { type Changes, callRoute, fillBucket, type Provoke } from './call-route.ts'
import { clientProvocations } from './client-provocations.ts'
import { portalProvocations } from './portal-provocations.ts'
import { transferProvocations } from './transfer-provocations.ts'
import { useropProvocations } from './userop-provocations.ts'
import { bodyOf, credentialsOf, pathOf, strangersAddress, type World } from './world.ts'

export type { Provoke } from './call-route.ts'

/** What a POST sends; GET sends nothing. */
const sent = (world: World, route: Route): CallOptions =>
  route.method === 'POST' ? { json: bodyOf(route, world) ?? {} } : {}

const withoutCredentials: Provoke = (world, route) =>
  world.app.call(route.method, pathOf(world, route), sent(world, route))

const createWith = (change: Record<string, unknown>, tenantOf: (world: World) => Tenant): Provoke => {
  return async (world, route) => {
    const tenant = tenantOf(world)
    const user = await world.newUser(tenant)
    return callRoute(world, route, { tenant, user, json: { ...bodyOf(route, world), ...change } })
  }
}

const signWith = (change: Record<string, unknown>): Provoke => {
  return async (world, route) => {
    await world.app.sql`delete from rate_limits`
    return callRoute(world, route, { json: { ...bodyOf(route, world), ...change } })
  }
}

/** What any route of a lane or method is provoked by. */
export const shared: Partial<Record<ErrorCode, Provoke>> = {
  unauthorized: withoutCredentials,

  token_expired: async (world, route) =>
    callRoute(world, route, {
      user: await world.newUser(world.tenant, { issuedAtMs: Date.now() - 3_601_000 }),
    }),

  token_revoked: async (world, route) => {
    const user = await world.newUser(world.tenant)
    await world.app.call('POST', '/v1/wallets/me/logout', { pk: user.pk, token: user.token })
    return callRoute(world, route, { user })
  },

  origin_not_allowed: async (world, route) => {
    const { pk } = world.tenant
    // The mixed lane knows origins only beside a publishable key.
    const credentials =
      route.lane === 'publishable_or_secret'
        ? { pk }
        : credentialsOf(route, world.tenant, world.owner, world.agents)
    return world.app.call(route.method, pathOf(world, route), {
      ...credentials,
      ...sent(world, route),
      headers: { origin: 'https://elsewhere.example.test' },
    })
  },

  ip_not_allowed: (world, route) => callRoute(world, route, { sk: world.distantKey }),

  insufficient_scope: (world, route) => callRoute(world, route, { sk: world.tenant.readKey }),

  rate_limited: async (world, route) => {
    await fillBucket(world, `s2s:${world.tenant.keyId}`)
    try {
      return await callRoute(world, route)
    } finally {
      await world.app.sql`delete from rate_limits`
    }
  },

  unavailable: (world, route) => callRoute(world, route, { process: world.cutOff }),

  internal: (world, route) => {
    if (route.lane !== 'public') return callRoute(world, route, { process: world.faulty })
    world.tripping.trip()
    return callRoute(world, route, { process: world.tripping })
  },

  invalid_request: async (world, route) => {
    const user = await world.newUser(world.tenant)
    if (route.method === 'GET') return callRoute(world, route, { user, query: '?unknown=1' })
    return callRoute(world, route, { user, json: { ...bodyOf(route, world), unknown: 1 } })
  },

  unsupported_media_type: async (world, route) => {
    const user = await world.newUser(world.tenant)
    return callRoute(world, route, { user, body: 'text', headers: { 'content-type': 'text/plain' } })
  },

  payload_too_large: async (world, route) => {
    const user = await world.newUser(world.tenant)
    return callRoute(world, route, { user, body: `"${'x'.repeat(256 * 1024)}"` })
  },

  not_found: (world, route) => callRoute(world, route, { walletId: 'not-a-uuid' }),

  idempotency_key_in_flight: async (world, route) => {
    const user = await world.newUser(world.tenant)
    const key = randomUUID()
    const body = JSON.stringify(bodyOf(route, world) ?? {})
    const path = pathOf(world, route)
    const credentialId = await credentialIdOf(world, route, user)
    const use = { scope: idempotencyScope(credentialId, 'POST', path), key }
    // The first one, as it stands in the database while it runs.
    await idempotencyStore.take(world.app.sql, use, createHash('sha256').update(body).digest(), {
      attemptId: randomUUID(),
      processId: randomUUID(),
    })
    return callRoute(world, route, { user, body, headers: { 'idempotency-key': key } })
  },

  idempotency_key_reused: async (world, route) => {
    const user = await world.newUser(world.tenant)
    const headers = { 'idempotency-key': randomUUID() }
    // A logout that runs ends its credential: of it only a refusal is ever repeated.
    const body = JSON.stringify(route.id === 'auth.logout' ? { unknown: 1 } : (bodyOf(route, world) ?? {}))
    await callRoute(world, route, { user, body, headers })
    return callRoute(world, route, { user, body: `${body} `, headers })
  },
}

async function credentialIdOf(
  { app, tenant }: World,
  route: Route,
  user: { id: string; token: string },
): Promise<string> {
  const jwt = readJwt(user.token)
  if (route.lane === 'wallet' && jwt !== undefined) return `${user.id} ${tokenName(jwt)}`
  if (route.lane.includes('secret') && route.lane !== 'publishable_or_secret') return tenant.keyId
  const rows = await app.sql<
    { id: string }[]
  >`select id from api_keys where organization_id = ${tenant.id} and type = 'publishable'`
  return rows[0]?.id ?? ''
}

const emailOf = (answerless: Record<string, unknown> | undefined) => String(answerless?.['email'])

const walletMissing: Provoke = async (world, route) =>
  callRoute(world, route, { user: await world.newUser(world.tenant), walletId: randomUUID() })

const signErrors: Partial<Record<ErrorCode, Provoke>> = {
  invalid_payload: signWith({ message: 'lone \ud800 surrogate' }),
  chain_unsupported: signWith({ chain: 'no-such-chain' }),
}

/** Calls the route with its usual body changed. */
const withFields = (
  change: Record<string, unknown>,
  changes: (world: World) => Changes = () => ({}),
): Provoke => {
  return async (world, route) =>
    callRoute(world, route, { ...changes(world), json: { ...bodyOf(route, world), ...change } })
}

const smallTransaction = {
  to: strangersAddress,
  nonce: '0x0',
  gas_limit: '0x5208',
  max_fee_per_gas: '0x77359400',
  max_priority_fee_per_gas: '0x1',
}

const evmErrors: Partial<Record<ErrorCode, Provoke>> = {
  chain_unsupported: withFields({ chain: 'base' }),
  wallet_not_found: walletMissing,
  wallet_not_evm: (world, route) => callRoute(world, route, { user: world.solanaUser }),
  wallet_archived: (world, route) => callRoute(world, route, { user: world.archived }),
}

const smartAccountErrors: Partial<Record<ErrorCode, Provoke>> = {
  chain_unsupported: withFields({ chain: 'base' }),
  wallet_not_found: walletMissing,
  invalid_curve: (world, route) =>
    callRoute(world, route, { user: world.solanaUser, walletId: world.solanaWalletId }),
  wallet_archived: (world, route) =>
    callRoute(world, route, { user: world.archived, walletId: world.archivedWalletId }),
  rpc_failed: async (world, route) => {
    const user = await world.newUser(world.tenant)
    const { id } = await makeWalletFor(world.app, world.tenant, 'secp256k1', user.email)
    return callRoute(world, route, { user, walletId: id, process: world.chainless })
  },
}

/** What single routes are provoked by, first asked. */
export const own: Record<string, Partial<Record<ErrorCode, Provoke>>> = {
  ...useropProvocations,
  ...clientProvocations,
  ...transferProvocations,
  ...portalProvocations,
  ...agentProvocations,
  ...a2aProvocations,
  ...agentSigningProvocations,
  ...agentWorkProvocations,
  'auth.startEmailOtp': {
    auth_mode_mismatch: (world, route) => callRoute(world, route, { tenant: world.oidc }),
    rate_limited: async (world, route) => {
      const json = bodyOf(route, world)
      for (let i = 0; i < 5; i++) await callRoute(world, route, { json })
      return callRoute(world, route, { json })
    },
  },
  'auth.verifyEmailOtp': {
    auth_mode_mismatch: (world, route) => callRoute(world, route, { tenant: world.oidc }),
    invalid_code: (world, route) => callRoute(world, route),
    rate_limited: async (world, route) => {
      const json = bodyOf(route, world)
      await fillBucket(world, `otp-verify:${world.tenant.id}:${emailOf(json)}`)
      return callRoute(world, route, { json })
    },
    idempotency_key_spent: async (world, route) => {
      const email = emailOf(bodyOf(route, world))
      await world.app.call('POST', '/v1/wallets/auth/email-otp/start', {
        pk: world.tenant.pk,
        json: { email },
      })
      const code = await mailedCode(world.app, email)
      const headers = { 'idempotency-key': randomUUID() }
      await callRoute(world, route, { json: { email, code }, headers })
      return callRoute(world, route, { json: { email, code }, headers })
    },
  },
  'wallets.getMine': {
    wallet_not_found: walletMissing,
    invalid_curve: async (world, route) => {
      const user = await world.newUser(world.evmOnly)
      return callRoute(world, route, { user, query: '?curve=ed25519' })
    },
  },
  'wallets.create': {
    wallet_exists: (world, route) => callRoute(world, route),
    invalid_curve: createWith({ curve: 'ed25519' }, ({ evmOnly }) => evmOnly),
    // The signing mode changes while the wallet is made.
    signing_mode_mismatch: async (world, route) => {
      const tenant = await makeTenant(world.app)
      const user = await world.newUser(tenant)
      const release = await holdOrganization(world.app, tenant.id)
      const creation = callRoute(world, route, { user })
      await untilWaiting(world.app)
      await release(`update organizations set signing_mode = 'client' where id = '${tenant.id}'`)
      return creation
    },
    ...clientProvocations['wallets.create'],
  },
  'wallets.createFor': {
    wallet_exists: (world, route) => callRoute(world, route, { json: { email: world.owner.email } }),
    invalid_curve: createWith({ curve: 'ed25519' }, ({ evmOnly }) => evmOnly),
    signing_mode_mismatch: createWith({}, ({ client }) => client),
  },
  'wallets.createBatch': { signing_mode_mismatch: createWith({}, ({ client }) => client) },
  'wallets.get': { wallet_not_found: walletMissing },
  'wallets.archive': { wallet_not_found: walletMissing },
  'wallets.unarchive': { wallet_not_found: walletMissing },
  'signing.signMine': {
    ...signErrors,
    invalid_curve: async (world, route) => {
      const user = await world.newUser(world.evmOnly)
      return callRoute(world, route, { user, json: { type: 'message', message: 'hi', curve: 'ed25519' } })
    },
    signing_mode_mismatch: async (world, route) =>
      callRoute(world, route, { user: await world.newUser(world.client) }),
    wallet_not_found: walletMissing,
    wallet_archived: (world, route) => callRoute(world, route, { user: world.archived }),
    rate_limited: async (world, route) => {
      const user = await world.newUser(world.tenant)
      await fillBucket(world, `user-sign:${user.id}`)
      return callRoute(world, route, { user })
    },
  },
  'evm.prepareTx': {
    ...evmErrors,
    bad_to: withFields({ to: '0x1234' }),
    // The EntryPoint knows no such function.
    estimate_gas_reverted: withFields({ to: entryPoint, data: '0xdeadbeef', gas_limit: undefined }),
    rpc_failed: withFields({}, ({ chainless }) => ({ process: chainless })),
  },
  'evm.broadcastTx': {
    ...evmErrors,
    unsupported_tx_type: withFields({ raw_tx: '0x01c0' }),
    bad_raw_tx: withFields({ raw_tx: 'no hex' }),
    broadcast_failed: async (world, route) => {
      const { data } = await world.app.call('POST', '/v1/s2s/sign', {
        sk: world.tenant.sk,
        json: {
          type: 'transaction',
          chain: 'local',
          transaction: smallTransaction,
          wallet_id: world.walletId,
        },
      })
      return withFields({ raw_tx: data['signed_transaction'] }, ({ chainless }) => ({ process: chainless }))(
        world,
        route,
      )
    },
  },
  'smartAccounts.listMine': { wallet_not_found: walletMissing },
  'smartAccounts.createMine': smartAccountErrors,
  'smartAccounts.list': { wallet_not_found: walletMissing },
  'smartAccounts.createFor': smartAccountErrors,
  'signing.sign': {
    policy_violation: (world, route) =>
      callRoute(world, route, {
        token: world.agents.session.token,
        json: { type: 'message', message: 'hello', chain: 'ethereum', wallet_id: world.walletId },
      }),
    ...signErrors,
    invalid_curve: async (world, route) => {
      const { id } = await makeWalletFor(world.app, world.evmOnly)
      const json = { type: 'message', message: 'hi', curve: 'ed25519', wallet_id: id }
      return callRoute(world, route, { tenant: world.evmOnly, json })
    },
    signing_mode_mismatch: (world, route) => callRoute(world, route, { tenant: world.client }),
    wallet_not_found: signWith({ wallet_id: randomUUID() }),
    wallet_archived: (world, route) =>
      callRoute(world, route, { json: { ...bodyOf(route, world), wallet_id: world.archivedWalletId } }),
  },
}
